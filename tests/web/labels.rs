//! Labels are for display only: renaming every choice changes nothing else on a page.

use std::{any::Any, sync::Arc};

use askama::Template;
use axum::{extract::FromRequestParts, http::Method};
use num_rational::Ratio;
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Map, Value, json};
use zorkmid::{
    bots::Bot,
    game::Live,
    play::GameSnapshot,
    registry::VARIANTS,
    rules::{
        ActionForm, Actor, AgreedClocks, ChoiceKind, Diagram, End, Endgame, GamePhase, Refusal, RulesVersion,
        SearchProblem, Seat, Step, Turn, VariantInfo, Viewer,
        any_game::{AnyAction, AnyGame, GameView},
    },
    web::{
        App, Options, PublicOrigin,
        game::{GamePage, Viewpoint},
    },
};

use super::{app, ask, request, router};

/// A game with different labels.
#[derive(Debug)]
struct Renamed(Box<dyn AnyGame>);

/// Name of the choice or piece with a number.
fn name(number: usize) -> String {
    format!("⟦{number}⟧")
}

fn rename(diagram: &mut Diagram) {
    for (number, choice) in diagram.choices.iter_mut().flatten().enumerate() {
        choice.label = name(number);
    }
}

impl AnyGame for Renamed {
    fn view(&self, viewer: Viewer) -> GameView {
        let mut view = self.0.view(viewer);
        rename(view.diagram_mut());
        view
    }
    fn draft(&self, seat: Seat, text: &str) -> Option<GameView> {
        let mut view = self.0.draft(seat, text)?;
        rename(view.diagram_mut());
        Some(view)
    }
    fn redeal(&self, seat: Seat, rng: &mut dyn Rng) -> Box<dyn AnyGame> {
        Box::new(Renamed(self.0.redeal(seat, rng)))
    }
    fn boxed(&self) -> Box<dyn AnyGame> {
        Box::new(Renamed(self.0.clone()))
    }
    fn is_same(&self, other: &dyn AnyGame) -> bool {
        self.0.is_same(other)
    }
    fn as_any(&self) -> &dyn Any {
        self.0.as_any()
    }
    fn info(&self) -> VariantInfo {
        self.0.info()
    }
    fn action_forms(&self) -> &'static [ActionForm] {
        self.0.action_forms()
    }
    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn phase(&self) -> GamePhase {
        self.0.phase()
    }
    fn task(&self, seat: Seat) -> &'static str {
        self.0.task(seat)
    }
    fn parse(&self, text: &str) -> Result<AnyAction, Refusal> {
        self.0.parse(text)
    }
    fn check(&self, actor: Actor, action: &AnyAction) -> Result<(), Refusal> {
        self.0.check(actor, action)
    }
    fn listed_forms(&self, seat: Seat) -> Vec<String> {
        self.0.listed_forms(seat)
    }
    fn apply(&mut self, step: Step<AnyAction>) {
        self.0.apply(step);
    }
    fn check_end(&self, seat: Seat, end: End) -> Result<(), Refusal> {
        self.0.check_end(seat, end)
    }
    fn score(&self) -> [Ratio<i64>; 2] {
        self.0.score()
    }
    fn visible_action(&self, step: usize, actor: Actor, action: &AnyAction, viewer: Viewer) -> Option<AnyAction> {
        self.0.visible_action(step, actor, action, viewer)
    }
    fn find(&self, text: &str) -> Option<AnyAction> {
        self.0.find(text)
    }
    fn has_hidden_info(&self) -> bool {
        self.0.has_hidden_info()
    }
    fn reveal_all(&mut self) {
        self.0.reveal_all();
    }
    fn draw(&self, rng: &mut dyn Rng) -> AnyAction {
        self.0.draw(rng)
    }
    fn candidates(&self, seat: Seat, rng: &mut dyn Rng) -> Vec<AnyAction> {
        self.0.candidates(seat, rng)
    }
    fn rough_material(&self) -> [i64; 2] {
        self.0.rough_material()
    }
    fn endgame(&self) -> Option<Endgame> {
        self.0.endgame()
    }
    fn search_problem(&self, seat: Seat) -> Option<SearchProblem> {
        self.0.search_problem(seat)
    }
    fn agreed_clocks(&self) -> Option<AgreedClocks> {
        self.0.agreed_clocks()
    }
    fn is_between_deals(&self) -> bool {
        self.0.is_between_deals()
    }
    fn is_setting_terms(&self) -> bool {
        self.0.is_setting_terms()
    }
    fn allows_takeback_here(&self) -> bool {
        self.0.allows_takeback_here()
    }
    fn completes_turn(&self, action: &AnyAction) -> bool {
        self.0.completes_turn(action)
    }
    fn version(&self) -> RulesVersion {
        self.0.version()
    }

    fn options(&self) -> Map<String, Value> {
        self.0.options()
    }
}

/// Begins a game with options through the API, with both seats taken. Returns its id.
pub(super) async fn begun(app: &Arc<App>, variant: &str, options: Value) -> String {
    let mut begin = request(Method::POST, "/api/games");
    *begin.body_mut() = json!({"variant": variant, "opponent": "self", "options": options}).to_string().into();
    begin.headers_mut().insert("content-type", "application/json".parse().unwrap());
    let begun = ask(&router(app.clone()), begin).await;
    assert_eq!(begun.status, 201, "{}", begun.body);
    begun.json()["id"].as_str().unwrap().to_owned()
}

/// A seat's view of a game with a selection.
async fn look(
    app: &Arc<App>,
    table: &GameSnapshot,
    seat: Seat,
    from: Option<String>,
    draft: Option<String>,
) -> Viewpoint {
    let (mut parts, _) = request(Method::GET, "/").into_parts();
    Viewpoint {
        id: table.id().to_owned(),
        base: PublicOrigin::from_request_parts(&mut parts, app).await.unwrap(),
        held: Vec::new(),
        viewer: Some(seat),
        named: true,
        curtain: false,
        from,
        ply: table.game.ply(),
        draft,
        about: None,
        flip: false,
        confirming: None,
        deal: None,
        invite: None,
        sketch: Default::default(),
        designing: false,
        refused: String::new(),
        refusal: String::new(),
        learned: Vec::new(),
        spoken: false,
    }
}

/// Compares a seat's pages with and without renamed labels: without a selection, and with every possible selection.
async fn compare(app: &Arc<App>, table: &GameSnapshot, seat: Seat, draft: Option<String>) -> usize {
    // A guess sheet is drafted from the start, or from the sealed sheet if there is one.
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
    let mut renamed = table.game.copy();
    renamed.wrap(|game| Box::new(Renamed(game)));
    for hand in &hands {
        let page = async |game: &Live| {
            let look = look(app, table, seat, hand.clone(), draft.clone()).await;
            GamePage::of(table, game, look, 0).render().unwrap()
        };
        let (own, mut other) = (page(&*table.game).await, page(&*renamed).await);
        for (number, choice) in choices.iter().enumerate() {
            assert!(!choice.label.contains(['<', '>', '&', '"', '\'']), "{}", choice.label);
            other = other.replace(&name(number), &choice.label);
        }
        // A template may capitalize a label.
        let (own, other) = (own.to_lowercase(), other.to_lowercase());
        let wrong = own.lines().zip(other.lines()).find(|(own, other)| own != other);
        assert!(own == other, "{} {seat} {hand:?} {draft:?}: {wrong:?}", table.game.key());
    }
    hands.len() + choices.iter().filter(|choice| matches!(choice.kind, ChoiceKind::Word { .. })).count()
}

#[tokio::test]
async fn labels_affect_only_the_text() {
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
        assert!(gestures > 16, "{} offers only {gestures} actions", variant.key);
    }
}

#[tokio::test]
async fn promotions_and_selected_pieces_are_identified_by_data() {
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

    // Pieces bought with the turn: their pictures are below the board, whatever their labels.
    let id = begun(&app, "clairvoyant", json!({"money_one": 60})).await;
    app.play.act(&id, Seat::Two, None, "guess", None).await.unwrap();
    let table = app.play.look(&id).await.unwrap();
    let look = look(&app, &table, Seat::One, Some("N@".to_owned()), Some(String::new())).await;
    let mut renamed = table.game.copy();
    renamed.wrap(|game| Box::new(Renamed(game)));
    let page = GamePage::of(&table, &renamed, look, 0).render().unwrap();
    let hand = page.split("aria-label=\"Place a piece\"").nth(1).unwrap().split("</div>").next().unwrap();
    assert!(hand.contains("value=\"N@\" aria-pressed=\"true\"") && hand.contains("#white-knight"), "{hand}");
    let square = page.split("data-square=\"c4\"").nth(1).unwrap().split("</td>").next().unwrap();
    assert!(square.contains("name=\"add\" value=\"N@c4\"") && square.contains("can be reached"), "{square}");
    assert!(page.contains("data-square=\"e2\" data-piece=\"pawn\" data-color=\"white\""));
}
