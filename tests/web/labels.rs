//! Labels are for people: a page on which every choice is called otherwise differs in nothing but what is read.

use std::sync::Arc;

use askama::Template;
use axum::{extract::FromRequestParts, http::Method};
use num_rational::Ratio;
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Map, Value, json};
use zorkmid::{
    bots::Bot,
    game::{AnyView, Clocks, Game, Judged, KnownLine, Offers, RecordLine, Word},
    play::LiveGame,
    rules::{Actor, ChoiceKind, Diagram, Endgame, Outcome, Refusal, Seat, Turn, Viewer},
    variants::VARIANTS,
    web::{
        App, Base, Options,
        game::{GamePage, Look},
    },
};

use super::{app, ask, request, router};

/// A game as it is, with choices that are called otherwise.
struct Renamed(Box<dyn Game>);

/// The name of the choice or piece with this number.
fn name(number: usize) -> String {
    format!("⟦{number}⟧")
}

fn rename(mut diagram: Diagram) -> Diagram {
    for (number, choice) in diagram.choices.iter_mut().flatten().enumerate() {
        choice.label = name(number);
    }
    diagram
}

impl Game for Renamed {
    fn diagram(&self, viewer: Viewer) -> Diagram {
        rename(self.0.diagram(viewer))
    }
    fn draft(&self, seat: Seat, text: &str) -> Option<Diagram> {
        self.0.draft(seat, text).map(rename)
    }
    fn can(&self, seat: Seat, word: Word) -> bool {
        self.0.can(seat, word)
    }
    fn hides(&self, seat: Seat) -> bool {
        self.0.hides(seat)
    }
    fn key(&self) -> &'static str {
        self.0.key()
    }
    fn title(&self) -> &'static str {
        self.0.title()
    }
    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn phase(&self) -> &'static str {
        self.0.phase()
    }
    fn task(&self, seat: Seat) -> &'static str {
        self.0.task(seat)
    }
    fn ply(&self) -> usize {
        self.0.ply()
    }
    fn awaits(&self) -> Vec<Seat> {
        self.0.awaits()
    }
    fn asks(&self, seat: Seat) -> bool {
        self.0.asks(seat)
    }
    fn talk(&self, seat: Seat) -> usize {
        self.0.talk(seat)
    }
    fn resealed(&self, seat: Seat) -> usize {
        self.0.resealed(seat)
    }
    fn said(&self) -> usize {
        self.0.said()
    }
    fn sealed(&self, seat: Seat) -> Option<String> {
        self.0.sealed(seat)
    }
    fn offers(&self) -> Offers {
        self.0.offers()
    }
    fn clocks(&self) -> &Clocks {
        self.0.clocks()
    }
    fn left(&self, step: usize, seat: Seat) -> Option<i64> {
        self.0.left(step, seat)
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn score(&self) -> [Ratio<i64>; 2] {
        self.0.score()
    }
    fn json(&self, viewer: Viewer) -> Value {
        self.0.json(viewer)
    }
    fn shown(&self, viewer: Viewer, draft: Option<&str>) -> AnyView {
        self.0.shown(viewer, draft)
    }
    fn act(&mut self, actor: Actor, text: &str, now: i64) -> Result<RecordLine, Refusal> {
        self.0.act(actor, text, now)
    }
    fn chance(&self, rng: &mut dyn Rng) -> Option<String> {
        self.0.chance(rng)
    }
    fn advise(&self, seat: Seat, bot: Bot, rng: &mut dyn Rng, enough: &mut dyn FnMut() -> bool) -> Option<String> {
        self.0.advise(seat, bot, rng, enough)
    }
    fn redealt(&self, seat: Seat, rng: &mut dyn Rng) -> Box<dyn Game> {
        self.0.redealt(seat, rng)
    }
    fn endgame(&self) -> Option<Endgame> {
        self.0.endgame()
    }
    fn endgames(&self) -> Vec<Option<Endgame>> {
        self.0.endgames()
    }
    fn judged(&self, ply: usize) -> Option<Judged> {
        self.0.judged(ply)
    }
    fn returnable(&self) -> bool {
        self.0.returnable()
    }
    fn copy(&self) -> Box<dyn Game> {
        Box::new(Renamed(self.0.copy()))
    }
    fn past(&self, ply: usize) -> Option<Box<dyn Game>> {
        self.0.past(ply)
    }
    fn walk(&self, plies: std::ops::Range<usize>, see: &mut dyn FnMut(&dyn Game)) {
        self.0.walk(plies, see);
    }
    fn retracted(&self) -> usize {
        self.0.retracted()
    }
    fn lines(&self, viewer: Viewer) -> Vec<KnownLine> {
        self.0.lines(viewer)
    }
    fn reads(&self, written: &[(usize, &str)]) -> Vec<bool> {
        self.0.reads(written)
    }
    fn options(&self) -> Map<String, Value> {
        self.0.options()
    }
    fn usual(&self) -> Map<String, Value> {
        self.0.usual()
    }
}

/// A game with options, both of whose seats are asked through the API.
pub(super) async fn begun(app: &Arc<App>, variant: &str, options: Value) -> String {
    let mut begin = request(Method::POST, "/api/games");
    *begin.body_mut() = json!({"variant": variant, "opponent": "self", "options": options}).to_string().into();
    begin.headers_mut().insert("content-type", "application/json".parse().unwrap());
    let begun = ask(&router(app.clone()), begin).await;
    assert_eq!(begun.status, 201, "{}", begun.body);
    begun.json()["id"].as_str().unwrap().to_owned()
}

/// How a seat looks at a table with something in hand.
async fn look(app: &Arc<App>, table: &LiveGame, seat: Seat, from: Option<String>, draft: Option<String>) -> Look {
    let (mut parts, _) = request(Method::GET, "/").into_parts();
    Look {
        id: table.id().to_owned(),
        base: Base::from_request_parts(&mut parts, app).await.unwrap(),
        held: Vec::new(),
        viewer: Some(seat),
        named: true,
        curtain: false,
        from,
        ply: table.game.ply(),
        draft,
        about: None,
        flip: false,
        resigning: false,
        deal: None,
        invite: None,
        sketch: Default::default(),
        then: None,
        learned: Vec::new(),
    }
}

/// What a seat's pages hold that labels must not decide: every page with nothing in hand, and with each thing that can be taken.
async fn compare(app: &Arc<App>, table: &LiveGame, seat: Seat, draft: Option<String>) -> usize {
    // A sheet of guesses is put together from the beginning, and where it was sealed already, from there on.
    let plain = table.game.diagram(Some(seat)).choices;
    let sealed = plain.is_none().then(|| table.game.sealed(seat).unwrap_or_default());
    let drafted = draft.clone().or(sealed).and_then(|text| table.game.draft(seat, &text));
    let choices = drafted.map_or(plain, |diagram| diagram.choices).unwrap_or_default();
    let mut hands = vec![None];
    hands.extend(choices.iter().filter_map(|choice| match &choice.kind {
        ChoiceKind::Move { from, .. } => Some(Some(from.to_string())),
        ChoiceKind::Drop { piece, to } => {
            assert_eq!(choice.action.strip_prefix(&piece.said).map(str::trim), Some(to.to_string().as_str()));
            Some(Some(piece.said.clone()))
        }
        ChoiceKind::Word { .. } => None,
    }));
    hands.sort();
    hands.dedup();
    let renamed = Renamed(table.game.copy());
    for hand in &hands {
        let page = async |game: &dyn Game| {
            let look = look(app, table, seat, hand.clone(), draft.clone()).await;
            GamePage::of(table, game, look, 0).render().unwrap()
        };
        let (own, mut other) = (page(&*table.game).await, page(&renamed).await);
        for (number, choice) in choices.iter().enumerate() {
            assert!(!choice.label.contains(['<', '>', '&', '"', '\'']), "{}", choice.label);
            other = other.replace(&name(number), &choice.label);
        }
        // A template may begin a label with a capital letter.
        let (own, other) = (own.to_lowercase(), other.to_lowercase());
        let wrong = own.lines().zip(other.lines()).find(|(own, other)| own != other);
        assert!(own == other, "{} {seat} {hand:?} {draft:?}: {wrong:?}", table.game.key());
    }
    hands.len() + choices.iter().filter(|choice| matches!(choice.kind, ChoiceKind::Word { .. })).count()
}

#[tokio::test]
async fn a_page_reads_no_label() {
    let app = app(Options::default());
    let mut rng = StdRng::seed_from_u64(5);
    for variant in VARIANTS {
        let id = begun(&app, variant.key, json!({})).await;
        let mut gestures = 0;
        for _ in 0..16 {
            let table = app.play.look(&id).await.unwrap();
            let Some(seat) = table.game.awaits().first().copied() else { break };
            gestures += compare(&app, &table, seat, None).await;
            if table.game.draft(seat, "").is_some() {
                gestures += compare(&app, &table, seat, Some(String::new())).await;
            }
            let action = table.game.advise(seat, Bot::Random, &mut rng, &mut || true).unwrap();
            app.play.act(&id, seat, None, &action, None).await.unwrap();
        }
        assert!(gestures > 16, "{} offers only {gestures} things to do", variant.key);
    }
}

#[tokio::test]
async fn promotions_and_pieces_in_hand_are_told_by_data() {
    let app = app(Options::default());
    let id = begun(&app, "chess", json!({"fen": "8/P6k/8/8/8/8/8/K7 w - - 0 1"})).await;
    let table = app.play.look(&id).await.unwrap();
    let becomes: Vec<String> = table
        .game
        .diagram(Some(Seat::One))
        .choices
        .unwrap()
        .into_iter()
        .filter_map(|choice| match choice.kind {
            ChoiceKind::Move { promotion, .. } => promotion,
            ChoiceKind::Drop { .. } | ChoiceKind::Word { .. } => None,
        })
        .collect();
    assert_eq!(becomes, ["queen", "rook", "bishop", "knight"]);
    assert!(compare(&app, &table, Seat::One, None).await > 1);

    // Pieces that are bought with the turn: their pictures stand below the board, under whatever name.
    let id = begun(&app, "clairvoyant", json!({"money_one": 60})).await;
    app.play.act(&id, Seat::Two, None, "guess", None).await.unwrap();
    let table = app.play.look(&id).await.unwrap();
    let look = look(&app, &table, Seat::One, Some("N@".to_owned()), Some(String::new())).await;
    let page = GamePage::of(&table, &Renamed(table.game.copy()), look, 0).render().unwrap();
    let hand = page.split("aria-label=\"Put on the board\"").nth(1).unwrap().split("</div>").next().unwrap();
    assert!(hand.contains("value=\"N@\" aria-pressed=\"true\"") && hand.contains("#white-knight"), "{hand}");
    let square = page.split("data-square=\"c4\"").nth(1).unwrap().split("</td>").next().unwrap();
    assert!(square.contains("name=\"add\" value=\"N@c4\"") && square.contains("can be reached"), "{square}");
    assert!(page.contains("data-square=\"e2\" data-piece=\"pawn\" data-color=\"white\""));
}
