//! Army csipgs: sixteen pieces for each side, placed in secret or in turns.

use serde_json::{Value, json};
use zorkmid_games::{
    game::Live,
    rules::{Actor, Outcome, Refusal, Seat},
};

use super::{accepted, game, named, purse, refused, refused_options, say};

/// An army: the first rank from the a-file, then the second. `8*W` repeats a piece.
fn army(seat: Seat, back: &str, front: &str) -> String {
    let (first, second) = if seat == Seat::One { (1, 2) } else { (8, 7) };
    let row = |pieces: &str, rank: i32| {
        let pieces: Vec<&str> = pieces
            .split(' ')
            .flat_map(|part| match part.split_once('*') {
                Some((count, piece)) => vec![piece; count.parse().unwrap()],
                None => vec![part],
            })
            .collect();
        assert_eq!(pieces.len(), 8);
        pieces.iter().zip('a'..='h').map(|(piece, file)| format!(" {piece} {file}{rank}")).collect::<String>()
    };
    format!("army{}{}", row(back, first), row(front, second))
}

const BACK: &str = "R N B BR royal-WF B N R";
const PAWNS: &str = "8*fcFfmW";

fn set(game: &mut Live, seat: Seat, text: &str) {
    game.act(Actor::Seat(seat), text, 0).unwrap_or_else(|refusal| panic!("{seat} “{text}”: {refusal}"));
}

fn refuse(game: &Live, seat: Seat, text: &str) -> Refusal {
    game.copy().act(Actor::Seat(seat), text, 0).expect_err(text)
}

fn with(more: Value) -> Box<Live> {
    let mut options = json!({"army": "secret"});
    for (key, value) in more.as_object().unwrap() {
        options[key] = value.clone();
    }
    game(options)
}

#[test]
fn accepts_an_orthodox_army() {
    let mut game = named("army");
    assert_eq!((game.phase(), game.awaits().len()), ("army", 2));
    set(&mut game, Seat::One, &army(Seat::One, BACK, PAWNS));
    assert!(game.diagram(Some(Seat::Two)).pieces.is_empty(), "hidden until both armies are in");
    assert_eq!(game.sealed(Seat::One).unwrap(), army(Seat::One, BACK, PAWNS));
    set(&mut game, Seat::Two, &army(Seat::Two, BACK, PAWNS));
    assert_eq!(game.diagram(None).fen.unwrap(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
    assert_eq!(super::purses(&game), ["1", "0"], "the rest of the 52 is lost");
    assert!(game.json(None).to_string().contains("1272/25"), "it costs 50.88");
    assert!(refused(&game, "e2e4").at == Some(2), "no double step");
    wait_for_money(&mut game);
    assert!(refused(&game, "buy fcFfmW").to_string().contains("16 pieces"));
}

/// Moves knights to and fro until pawns are affordable.
fn wait_for_money(game: &mut Live) {
    say(game, "b1c3/keep/b8c6/keep/c3b1/keep/c6b8/keep");
}

#[test]
fn invalid_armies_are_refused() {
    let game = named("army");
    let one = Seat::One;
    let good = army(one, BACK, PAWNS);
    for (text, words) in [
        (good.replace("fcFfmW a2", "fcFfmW a3"), "first two ranks"),
        (good.replace("fcFfmW a2", "fcFfmW b2"), "b2 has two pieces"),
        (good.replace("fcFfmW a2", "N a2"), "second rank"),
        (good.replace("R a1", "BRN a1"), "less than 52"),
        (good.replace("R a1", "doublemove-W a1"), "doublemove-"),
        (good.replace(" fcFfmW h2", ""), "sixteen pieces, each followed by its square: this one has 15"),
        ("place W e2".to_owned(), "set up your army: write army"),
        ("keep".to_owned(), "set up your army"),
    ] {
        let why = refuse(&game, one, &text).to_string();
        assert!(why.contains(words), "{text}: {why}");
    }
    let at = refuse(&game, one, &good.replace("fcFfmW a2", "N a2")).at.unwrap();
    assert_eq!(&good[at..at + 2], "fc");
    assert!(refuse(&game, Seat::Two, &good).to_string().contains("black’s first two ranks"));
}

#[test]
fn armies_must_cost_less_than_the_budget_unless_equality_is_allowed() {
    // 8 × 2 and 8 × 1 is exactly 24.
    let text = army(Seat::One, "royal-fWbW N N N N W W W", "8*W");
    let exact = {
        let mut game = with(json!({"army_budget_tenths": 1000}));
        set(&mut game, Seat::One, &text);
        set(&mut game, Seat::Two, &army(Seat::Two, BACK, PAWNS));
        game.json(None)["view"]["diagram"]["sheet"][0]["notes"].as_str().unwrap().to_owned()
    };
    // 4·(0.75 + 0.3) + 12 + 4.5 + 12 = 32.7
    assert_eq!(exact, "for 327/10");
    assert!(with(json!({"army_budget_tenths": 327})).act(Actor::Seat(Seat::One), &text, 0).is_err());
    assert!(with(json!({"army_budget_tenths": 328})).act(Actor::Seat(Seat::One), &text, 0).is_ok());
    assert!(
        with(json!({"army_budget_tenths": 327, "army_total": "at_most"})).act(Actor::Seat(Seat::One), &text, 0).is_ok()
    );
}

#[test]
fn leftover_money_is_lost_kept_or_halved() {
    let cheap = |seat| army(seat, "royal-WF 7*W", PAWNS);
    // 12 + 10.5 + 8.64 = 31.14 of 52 leaves 20.86.
    for (rest, quantum, white) in [
        ("lost", "1", "1"),
        ("kept", "1", "21"),
        ("half", "1", "11"),
        ("kept", "1/2", "43/2"),
        ("kept", "1/10", "109/5"),
        ("half", "1/10", "11"),
    ] {
        let mut game = with(json!({"army_rest": rest, "quantum": quantum}));
        set(&mut game, Seat::One, &cheap(Seat::One));
        set(&mut game, Seat::Two, &cheap(Seat::Two));
        assert_eq!(purse(&game, Seat::One), white, "{rest} {quantum}");
    }
}

#[test]
fn an_army_without_a_royal_piece_loses() {
    let bare = |seat| army(seat, "8*W", PAWNS);
    let full = |seat| army(seat, BACK, PAWNS);
    for (one, two, winner) in [
        (bare(Seat::One), full(Seat::Two), Seat::Two),
        (full(Seat::One), bare(Seat::Two), Seat::One),
        (bare(Seat::One), bare(Seat::Two), Seat::Two),
    ] {
        let mut game = named("army");
        set(&mut game, Seat::One, &one);
        set(&mut game, Seat::Two, &two);
        assert_eq!(game.outcome().and_then(Outcome::winner), Some(winner));
        assert!(game.awaits().is_empty());
    }
}

#[test]
fn an_army_that_attacks_a_royal_at_the_start_wins() {
    // A forward rook on e2 attacks a royal piece on e7.
    let white = army(Seat::One, "royal-WF 7*bW", "4*bW fcR 3*bW");
    let black = army(Seat::Two, "8*bW", "4*bW royal-bW 3*bW");
    let mut game = named("army");
    set(&mut game, Seat::One, &white);
    set(&mut game, Seat::Two, &black);
    assert_eq!(game.outcome(), Some(Outcome::Win(Seat::One, "royal piece attacked at once")));
    // With the armies exchanged it is an ordinary check on move 1.
    let white = army(Seat::One, "8*bW", "4*bW royal-bW 3*bW");
    let black = army(Seat::Two, "royal-WF 7*bW", "4*bW fcR 3*bW");
    let mut game = named("army");
    set(&mut game, Seat::One, &white);
    set(&mut game, Seat::Two, &black);
    assert_eq!(game.outcome().map(Outcome::reason), Some("checkmate"));
}

#[test]
fn mate_is_marked_once_the_game_has_ended() {
    let mut game = named("army");
    set(&mut game, Seat::One, &army(Seat::One, BACK, PAWNS));
    set(&mut game, Seat::Two, &army(Seat::Two, BACK, PAWNS));
    say(&mut game, "f2f3/keep/e7e6/keep/g2g3/keep/a7a6/keep/g3g4/keep/d8h4");
    let last = |game: &Live| {
        let diagram = game.diagram(None);
        let entry = diagram.sheet.last().unwrap();
        (entry.said().to_owned(), entry.spoken.as_deref().unwrap().to_owned())
    };
    assert_eq!(last(&game), ("d8-h4+".to_owned(), "queen from d8 to h4, check".to_owned()), "the turn is not over");
    say(&mut game, "keep");
    assert_eq!(game.outcome(), Some(Outcome::Win(Seat::Two, "checkmate")));
    assert_eq!(last(&game), ("d8-h4#".to_owned(), "queen from d8 to h4, checkmate".to_owned()));
}

#[test]
fn mirroring_stays_within_the_budget() {
    let game = named("army");
    let drafted = |text: &str| game.draft(Seat::One, text).unwrap().draft.unwrap();
    assert_eq!(drafted("R a1 mirror"), "R a1 R h1");
    let queens = "BR a1 BR b1 BR c1 BR d1";
    assert_eq!(drafted(&format!("{queens} mirror")), queens);
}

#[test]
fn the_second_rank_may_be_for_forward_pieces() {
    let mut game = with(json!({"army_second_rank": "forward", "army_budget_tenths": 700}));
    assert!(refuse(&game, Seat::One, &army(Seat::One, BACK, "8*W")).to_string().contains("forwards"));
    set(&mut game, Seat::One, &army(Seat::One, "8*royal-fW", "fR fB 6*fcFfmW"));
}

#[test]
fn pieces_may_have_least_and_most_costs() {
    let game = with(json!({"army_least_tenths": 10, "army_most_tenths": 120}));
    assert!(refuse(&game, Seat::One, &army(Seat::One, BACK, "8*bW")).to_string().contains("must cost at least 1"));
    assert!(
        refuse(&game, Seat::One, &army(Seat::One, "royal-WFD 7*W", PAWNS)).to_string().contains("may cost at most 12")
    );
    assert!(game.copy().act(Actor::Seat(Seat::One), &army(Seat::One, BACK, PAWNS), 0).is_ok());
    for options in [
        json!({"army": "secret", "army_least_tenths": 25}),
        json!({"army": "secret", "army_budget_tenths": 20}),
        json!({"army": "secret", "army_least_tenths": 50, "army_most_tenths": 40}),
        json!({"army": "secret", "army_most_tenths": 1}),
        json!({"army": "open"}),
        json!({"quantum": "1/3"}),
        json!({"income_tenths": -1}),
        json!({"nonsense": 1}),
    ] {
        assert!(refused_options(options).to_string().len() > 20);
    }
}

#[test]
fn armies_can_be_placed_in_turns() {
    let mut game = with(json!({"army": "alternate", "army_budget_tenths": 60}));
    assert_eq!((game.phase(), game.awaits()), ("place", vec![Seat::One]));
    assert_eq!(refused(&game, "place W e7").at, Some(8));
    // The other 15 squares need 7·0.162 + 8·0.162 = 2.43. Of 6 that leaves less than 3.57 for the first piece.
    assert_eq!(refused(&game, "place R a1").at, Some(6));
    assert!(accepted(&game, "place fR a1"));
    assert_eq!(refused(&game, "place royal-W e1").at, Some(6));
    say(&mut game, "place royal-fW e1");
    assert_eq!(game.awaits(), vec![Seat::Two]);
    say(&mut game, "place royal-fW e8");
    assert_eq!(refused(&game, "place mbW e1").at, Some(10), "taken");
    assert!(refused(&game, "army").to_string().contains("sixteen"));
    let squares = |rank: &str| "abcdefgh".chars().map(|file| format!("{file}{rank}")).collect::<Vec<_>>();
    let white: Vec<String> =
        [squares("1"), squares("2")].concat().into_iter().filter(|square| square != "e1").collect();
    let black: Vec<String> =
        [squares("8"), squares("7")].concat().into_iter().filter(|square| square != "e8").collect();
    for (one, two) in white.iter().zip(&black) {
        say(&mut game, &format!("place mblF {one}/place mblF {two}"));
    }
    assert!(game.outcome().is_some() || game.phase() == "action");
    assert_eq!(game.diagram(None).pieces.len(), 32);
}
