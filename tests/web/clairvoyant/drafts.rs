//! Drafts of actions: running price, legal continuations, payouts of guesses, and secrecy.

use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use zorkmid::{
    game::Live,
    rules::{Actor, Choice, ChoiceKind, Diagram, Prediction, Seat},
    web::{frame::Frame, variant_pages},
};

use crate::clairvoyant_games::{act, from, game, json as seen, mover, open, purse, refused, turn};

const QUIET: &str = "6k1/8/8/4p3/8/5N2/8/R3K3 w - - 0 1";

/// Rendered part of the page with a draft.
fn page(game: &Live, seat: Seat, text: &str) -> String {
    let mut frame = Frame::of(game, Some(seat), "/games/x".to_owned());
    frame.draft = Some(text.to_owned());
    own_parts(game, &frame)
}

/// Rendered part of the page without a draft.
fn part(game: &Live, viewer: Option<Seat>) -> String {
    own_parts(game, &Frame::of(game, viewer, "/games/x".to_owned()))
}

fn own_parts(game: &Live, frame: &Frame) -> String {
    variant_pages::of(game.key()).page(game, frame).to_string()
}

fn draft(game: &Live, seat: Seat, text: &str) -> Diagram {
    game.draft(seat, text).unwrap_or_else(|| panic!("{seat} has no action in parts"))
}

fn choices(diagram: &Diagram) -> Vec<&Choice> {
    diagram.choices.iter().flatten().collect()
}

fn labels<'d>(diagram: &'d Diagram, action: &str) -> Vec<&'d str> {
    choices(diagram).into_iter().filter(|choice| choice.action == action).map(|choice| choice.label.as_str()).collect()
}

#[test]
fn turn_shows_its_running_price_and_continuations() {
    let game = from(QUIET, 60);
    let one = Seat::One;
    let begun = draft(&game, one, "");
    assert_eq!(labels(&begun, "f3e5"), ["f3e5"], "the first move is free");
    assert_eq!(labels(&begun, "N@c4"), ["Drop a knight on c4"]);
    assert!(labels(&begun, "N@f6").is_empty() && labels(&begun, "K@a8").is_empty(), "check, and too expensive");
    let after = draft(&game, one, "f3e5");
    assert_eq!(after.draft.as_deref(), Some("f3e5"));
    assert_eq!(labels(&after, "e5f3"), ["e5f3 for 18Z"]);
    assert_eq!(labels(&after, "a1a2"), ["a1a2 for 9Z"]);
    assert!(labels(&after, "N@c4").is_empty(), "drops come first");
    assert_eq!(after.unit("e5".parse().unwrap()).unwrap().name, "knight");
    let done = page(&game, one, "f3e5 e5f3");
    assert!(done.contains("Play turn for 18Z") && done.contains("42Z left") && done.contains(">Undo<"), "{done}");
    assert!(choices(&draft(&game, one, "f3e5 e5f3")).is_empty());
    let dropped = page(&game, one, "N@c4 P@b3");
    assert!(
        dropped.contains("Play turn for 15Z") && dropped.contains("name=\"without\" value=\"2\">Undo"),
        "{dropped}"
    );
    for part in ["N@c4", "P@b3"] {
        assert!(dropped.contains(&format!("name=\"draft\" value=\"{part}\">")), "{dropped}");
    }
    assert!(
        dropped.contains(
            "a new pawn on b3</span> <span aria-hidden=\"true\">on b3</span> <strong class=\"amount\">3Z</strong>"
        ),
        "{dropped}"
    );
    // Invalid parts are left out, with a message.
    let odd = page(&game, one, "f3e5 N@c4");
    assert!(odd.contains("“N@c4” was left out: drops come before moves"), "{odd}");
    assert_eq!(draft(&game, one, "f3e5 x9 <b>").draft.as_deref(), Some("f3e5"));
    let odd = page(&game, one, "f3e5 x9 <b>");
    assert!(
        odd.contains("“x9” was left out") && odd.contains("value=\"x9 &#60;b&#62;\""),
        "the text is returned: {odd}"
    );
    // Stakes and the option to disclose all guesses stay with the parts.
    let staked = page(&game, one, "lock 2 f3e5");
    assert!(staked.contains("value=\"lock 2\" selected") && staked.contains("Play turn"), "{staked}");
    assert!(!staked.contains("left out"), "{staked}");
    assert!(!page(&game, one, "lock 9 f3e5").contains(" selected"));
    let blind = crate::clairvoyant_games::game(json!({"fen": QUIET, "blind": true}));
    assert_eq!(draft(&blind, one, "disclose lock 1 f3e5").draft.as_deref(), Some("f3e5"));
    assert_eq!(seen(&game, Some(one))["view"]["diagram"]["fen"], QUIET, "the game has not changed");
}

#[test]
fn settings_before_the_parts_stay() {
    let mut game = game(json!({"blind": true, "money_one": 30}));
    turn(&mut game, "guess", "a2a3");
    turn(&mut game, "guess e7", "e7e5");
    let shown = page(&game, Seat::One, "disclose lock 2 e2e4 d2d4");
    assert!(!shown.contains("left out"), "{shown}");
    assert!(shown.contains("value=\"disclose\" checked>") && shown.contains("value=\"lock 2\" selected>"), "{shown}");
    for part in ["e2e4", "d2d4"] {
        let field = format!("name=\"draft\" value=\"{part}\">");
        assert_eq!(shown.matches(&field).count(), 1, "the form contains it once: {shown}");
    }
    for (text, parts) in [("disclose", ""), ("lock 1", ""), ("disclose lock 3 e2e4", "e2e4")] {
        assert_eq!(draft(&game, Seat::One, text).draft.as_deref(), Some(parts));
    }
    for (text, why) in [("lock", "up to 3"), ("lock x e2e4", "up to 3"), ("lock 4 e2e4", "up to 3")] {
        assert!(page(&game, Seat::One, text).contains(why), "{text}");
    }
    let open = from(QUIET, 60);
    assert!(page(&open, Seat::One, "disclose f3e5").contains("“disclose” was left out"));
}

#[test]
fn unfinished_turn_explains_why_it_cannot_end() {
    let game = from("4k3/8/8/8/4r3/8/3P4/4K3 w - - 0 1", 11);
    let shown = page(&game, Seat::One, "d2d3");
    assert!(shown.contains("Not yet: your king would be in check at the end of the turn"), "{shown}");
    assert!(shown.contains("class=\"button primary\" disabled>"));
    let poor = from("4k3/8/8/8/4r3/8/3P4/4K3 w - - 0 1", 2);
    assert!(labels(&draft(&poor, Seat::One, ""), "d2d4").is_empty(), "no continuation could end that turn");
}

#[test]
fn everything_offered_can_be_played() {
    let mut rng = StdRng::seed_from_u64(23);
    let mut played = 0;
    let fens = [QUIET, "4k3/8/8/8/4r3/8/3P4/4K3 w - - 0 1", "r3k2r/8/8/3pP3/8/8/P7/R3K2R w KQkq d6 0 2"];
    for round in 0..240 {
        let (money, post_drop) = ([0, 9, 40][round / 3 % 3], ["own", "any"][round % 2]);
        let fen = fens[round % 3];
        let game = game(
            json!({"fen": fen, "money_one": money, "post_drop": post_drop, "bought_after_free": 1 + round / 2 % 2}),
        );
        let mut text = String::new();
        loop {
            let diagram = draft(&game, Seat::One, &text);
            assert_eq!(diagram.draft.as_deref(), Some(text.as_str()), "every offered part is accepted");
            let done = game.copy().act(Actor::Seat(Seat::One), &text, 1).is_ok();
            let shown = page(&game, Seat::One, &text);
            assert_eq!(shown.contains("primary\" disabled"), !done, "{text} in {}", fens[round % 3]);
            played += usize::from(done);
            let Some(choice) = choices(&diagram).choose(&mut rng).copied().cloned() else { break };
            text = format!("{text} {}", choice.action).trim().to_owned();
        }
    }
    assert!(played > 200, "{played}");
}

#[test]
fn sheet_shows_the_true_payout_of_each_guess() {
    let fen = "4k3/8/8/8/8/8/4P3/1N2K2R w K - 0 1";
    for (sheet, text, pays) in [
        ("guess b1 b1c3 e2", "b1c3", [7, 11, 4]),
        ("guess e1 e1g1 h1", "e1g1", [12, 12, 10]),
        ("guess $N $N@f5 extra", "N@f5 f5h4", [15, 20, 20]),
        ("guess e1d1 e2e4 $K", "e1d1", [18, 5, 200]),
    ] {
        let mut game = from(fen, 200);
        let shown = page(&game, Seat::Two, sheet);
        for pays in pays {
            assert!(shown.contains(&format!("<strong class=\"amount\">{pays}Z</strong>")), "{sheet}: {pays}\n{shown}");
        }
        assert_eq!(draft(&game, Seat::Two, sheet).draft.as_deref(), Some(sheet));
        turn(&mut game, sheet, text);
        let hits = seen(&game, None)["view"]["settled"]["sheet"].clone();
        for (hit, pays) in hits.as_array().unwrap().iter().zip(pays) {
            assert!(hit["earned"] == pays || hit["earned"] == 0, "{hit} was listed with {pays}");
        }
    }
    let game = from(fen, 20);
    let begun = draft(&game, Seat::Two, "");
    assert_eq!(labels(&begun, "b1"), ["the knight on b1 moves: 7Z"]);
    assert_eq!(labels(&begun, "e1g1"), ["the king on e1 moves to g1: 12Z"]);
    assert_eq!(labels(&begun, "$R@a5"), ["a rook is dropped on a5: 25Z"]);
    assert!(labels(&begun, "$Q@a5").is_empty(), "White is known to be unable to pay for a queen");
    assert!(choices(&draft(&game, Seat::Two, "guess e2 e2 e2")).is_empty(), "the sheet is full");
    let odd = page(&game, Seat::Two, "guess e2 e8 e2 e2 e2");
    assert!(odd.contains("“e2” was left out: this sheet has room for only 3 guesses"), "{odd}");
    // An invalid guess keeps its place, with a message.
    let own = page(&game, Seat::Two, "guess  e8 e2");
    let marked = "value=\"e8\" aria-invalid=\"true\" aria-describedby=\"wrong-2\"";
    assert!(
        own.contains(marked) && own.contains("id=\"wrong-2\">the piece on e8 is yours; guess a piece of white."),
        "{own}"
    );
    assert!(own.contains("If the pawn on e2 moves") && own.matches("aria-invalid").count() == 1, "{own}");
    for (text, places) in [
        ("guess  e2", "guess  e2"),
        ("guess zz   ", "guess zz"),
        ("guess  e2  b1", "guess b1 e2"),
        ("guess e8 <b>", "guess e8 <b>"),
        ("e2 b1", "guess e2 b1"),
        ("guess", "guess"),
    ] {
        assert_eq!(draft(&game, Seat::Two, text).draft.as_deref(), Some(places), "{text}");
    }
    // A piece without a square and a bought move are offered if the mover may have the money.
    let begun = page(&game, Seat::Two, "");
    assert!(begun.contains("name=\"add\" value=\"extra\""), "{begun}");
    for (guess, offered) in
        [("$P", true), ("$R", true), ("$Q", false), ("extra", true), ("e2e4", true), ("e1e2", false)]
    {
        assert_eq!(begun.contains(&format!("<option value=\"{guess}\" ")), offered, "{guess}");
    }
    let begun = draft(&game, Seat::Two, "");
    for (piece, alone) in [("$P@", true), ("$R@", true), ("$Q@", false)] {
        let is = |choice: &&Choice| match &choice.kind {
            ChoiceKind::Drop { piece: own, .. } => own.said == piece && own.alone.as_deref() == piece.strip_suffix('@'),
            ChoiceKind::Move { .. } | ChoiceKind::Word { .. } => false,
        };
        assert_eq!(choices(&begun).iter().any(is), alone, "{piece}");
    }
}

#[test]
fn sheet_refuses_pieces_that_cannot_move() {
    let (poor, rich) = (game(json!({})), game(json!({"money_one": 20})));
    let begun = draft(&poor, Seat::Two, "");
    let blocked: Vec<&str> = begun.dear.iter().map(|choice| choice.action.as_str()).collect();
    assert_eq!(blocked, ["a1", "c1", "d1", "e1", "f1", "h1"]);
    assert_eq!(begun.dear[0].label, "the rook on a1 cannot move next turn");
    for (square, offered) in [("a1", false), ("d1", false), ("b1", true), ("e2", true)] {
        assert_eq!(!labels(&begun, square).is_empty(), offered, "{square}");
    }
    for text in ["guess a1 e2", "guess a1a3 e2"] {
        assert_eq!(draft(&poor, Seat::Two, text).draft.as_deref(), Some("guess  e2"));
        let shown = page(&poor, Seat::Two, text);
        assert!(shown.contains("was left out: the rook on a1 cannot move next turn."), "{shown}");
    }
    // A bought move can follow one that clears its way, and 20 zorkmids pay for a move of any piece.
    let begun = draft(&rich, Seat::Two, "");
    assert!(begun.dear.is_empty() && !labels(&begun, "a1").is_empty());
    assert_eq!(draft(&rich, Seat::Two, "guess a1a3").draft.as_deref(), Some("guess a1a3"));
}

#[test]
fn promotion_in_a_turn_shows_its_piece() {
    let game = from("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", 60);
    for (part, piece) in [("e7e8q", "Q"), ("e7e8n", "N")] {
        let shown = page(&game, Seat::One, part);
        assert!(shown.contains(&format!(">e7–e8={piece}<")), "{shown}");
    }
}

#[test]
fn empty_sheet_is_sealed_after_a_second_press() {
    let game = game(json!({}));
    let asks = "<summary class=\"button primary sealing\">Seal sheet…</summary>";
    assert!(page(&game, Seat::Two, "guess").contains(asks));
    assert!(!page(&game, Seat::Two, "guess e2").contains(asks));
    assert!(page(&game, Seat::Two, "guess").contains("<button class=\"button primary\">Seal sheet</button></details>"));
}

#[test]
fn responses_and_the_opponents_turn_have_no_draft() {
    let mut game = from(QUIET, 60);
    act(&mut game, Seat::Two, "guess e1");
    act(&mut game, Seat::One, "f3e5");
    for seat in Seat::BOTH {
        assert!(game.draft(seat, "").is_none());
    }
    act(&mut game, Seat::Two, "retract");
    assert!(game.draft(Seat::Two, "").is_none(), "the sheet is sealed");
    let again = draft(&game, Seat::One, "");
    assert!(labels(&again, "f3e5").is_empty() && !labels(&again, "f3g5").is_empty());
    assert!(page(&game, Seat::One, "f3e5").contains("“f3e5” was left out: a turn starting with f3e5 was forced back"));
    assert!(refused(&game, Seat::One, "f3e5").contains("forced back"));
}

#[test]
fn shop_explains_unavailable_pieces() {
    let game = from("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 14);
    let shop = seen(&game, Some(Seat::One))["view"]["shop"].clone();
    let offer = |name: &str| shop.as_array().unwrap().iter().find(|offer| offer["name"] == name).unwrap().clone();
    assert_eq!(offer("knight")["why_not"], "");
    assert!(!offer("knight")["squares"].as_array().unwrap().contains(&json!("d6")), "that would be check");
    assert!(offer("rook")["why_not"].as_str().unwrap().contains("costs 15Z, and you have 14Z"));
    assert_eq!(offer("rook")["squares"], json!([]));
    assert_eq!(seen(&game, Some(Seat::Two))["view"]["shop"], Value::Null);
    let shown = page(&game, Seat::One, "N@a1 P@");
    assert!(shown.contains("role=\"alert\">A new pawn costs 3Z, and you have 2Z.<"), "{shown}");
    let shown = page(&game, Seat::One, "N@");
    assert!(shown.contains("role=\"alert\">Choose a square for the knight.<"), "{shown}");
}

/// Amounts shown on the squares for a selected piece, negative if the player cannot afford them.
fn amounts(diagram: &Diagram, from: &str) -> Vec<(String, i64)> {
    let own = |choices: &[Choice], sign: i64| {
        let own = choices.iter().filter(|choice| choice.action.starts_with(from));
        own.filter_map(|choice| Some((choice.action.clone(), sign * choice.amount?))).collect::<Vec<_>>()
    };
    let mut all = own(diagram.choices.as_deref().unwrap_or_default(), 1);
    all.extend(own(&diagram.dear, -1));
    all.sort();
    all
}

fn told(amounts: &[(&str, i64)]) -> Vec<(String, i64)> {
    amounts.iter().map(|(action, amount)| ((*action).to_owned(), *amount)).collect()
}

#[test]
fn squares_show_prices_and_mark_unaffordable_ones() {
    let game = from("6k1/8/8/4p3/6p1/5N2/8/R3K3 w - - 0 1", 14);
    let one = Seat::One;
    assert_eq!(amounts(&draft(&game, one, ""), "f3"), [], "the first move is free");
    let after = draft(&game, one, "f3e5");
    assert_eq!(amounts(&after, "e5g4"), told(&[("e5g4", -23)]), "it captures again");
    assert_eq!(amounts(&after, "a1a8"), told(&[("a1a8", 9)]));
    assert_eq!(amounts(&after, "e1e2"), told(&[("e1e2", 3)]));
    assert!(labels(&after, "e5g4").is_empty(), "an unaffordable move is not offered");
    let shown = page(&game, one, "f3e5 e5g4");
    assert!(shown.contains("role=\"alert\">Knight e5 to g4 costs 23Z, and you have 14Z.<"), "{shown}");
    assert!(!shown.contains("left out") && !shown.contains("value=\"e5g4\""), "there is nothing to correct: {shown}");
    // Pieces below the board: one choice represents each unaffordable piece.
    let begun = draft(&game, one, "");
    let dear: Vec<_> = begun.dear.iter().map(|choice| (&choice.action[..2], choice.amount)).collect();
    assert_eq!(dear, [("R@", Some(15)), ("Q@", Some(25)), ("K@", Some(150))]);
    assert_eq!(amounts(&begun, "N@c4"), told(&[("N@c4", 12)]));
    // The guesser sees the reward of each guess, and no prices.
    let guesses = draft(&game, Seat::Two, "");
    assert_eq!(amounts(&guesses, "f3e5"), told(&[("f3e5", 11)]));
    assert_eq!(amounts(&guesses, "f3")[0], ("f3".to_owned(), 7));
    assert!(guesses.dear.is_empty());
}

#[test]
fn field_for_a_part_suggests_legal_parts() {
    let rich = from(QUIET, 60);
    for text in ["", "f3e5", "N@c4", "N@c4 c4e5"] {
        let shown = page(&rich, Seat::One, text);
        let Some((_, rest)) = shown.split_once("id=\"add\"") else { panic!("no field after {text}: {shown}") };
        let example = rest.split_once("placeholder=\"").unwrap().1.split('"').next().unwrap();
        let more = format!("{text} {example}");
        assert_eq!(draft(&rich, Seat::One, &more).draft.as_deref(), Some(more.trim()), "{example} after {text}");
    }
}

#[test]
fn guesses_are_drawn_on_the_board() {
    let mut game = from("4k3/8/8/8/8/8/4P3/1N2K2R w K - 0 1", 60);
    let lies = |diagram: &Diagram| -> Vec<String> {
        let one = |told: &Prediction| {
            let piece = told.piece.map_or("", |(_, name)| name);
            format!("{}{} {piece}{}", told.from, told.to, told.amount)
        };
        diagram.foretold.iter().map(one).collect()
    };
    let sheet = "guess b1c3 e2 $N@f5";
    assert_eq!(lies(&draft(&game, Seat::Two, sheet)), ["b1c3 11", "e2e2 4", "f5f5 knight20"]);
    assert_eq!(lies(&draft(&game, Seat::Two, "guess zz $N extra")), [] as [&str; 0], "these have no square");
    open(&mut game, sheet, "b1c3");
    assert_eq!(lies(&game.diagram(Some(Seat::Two))), ["b1c3 11", "e2e2 0", "f5f5 knight0"], "with the reward");
    for viewer in [Some(Seat::One), None] {
        assert_eq!(lies(&game.diagram(viewer)), [] as [&str; 0]);
    }
}

#[test]
fn response_shows_its_reward_and_what_it_forbids() {
    let mut game = game(json!({"money_two": 30}));
    open(&mut game, "guess e2 e2e4 g1f3", "e2e4");
    let proposed = |viewer| seen(&game, viewer)["view"]["proposed"].clone();
    assert_eq!(proposed(Some(Seat::Two))["earns"], 9);
    assert_eq!(proposed(Some(Seat::Two))["forbids"], "e2e4");
    for viewer in [Some(Seat::One), None] {
        assert_eq!(proposed(viewer)["earns"], Value::Null);
    }
    let shown = part(&game, Some(Seat::Two));
    assert!(shown.contains("Accept, get 9Z") && shown.contains("Force back for 10Z"), "{shown}");
    assert!(shown.contains("not begin with <strong>e2e4</strong> or reach this position"), "{shown}");
}

#[test]
fn ledger_adds_up() {
    let mut game = game(json!({"money_two": 40}));
    turn(&mut game, "guess e2 e2e4", "e2e4");
    turn(&mut game, "guess e7e5 e7", "N@f5");
    open(&mut game, "guess d2", "lock 1 d2d4");
    act(&mut game, Seat::Two, "retract");
    turn(&mut game, "guess", "g1f3");
    let view = seen(&game, None)["view"].clone();
    let lines = view["ledger"].as_array().unwrap();
    for seat in Seat::BOTH {
        let own = || lines.iter().filter(|line| line["seat"] == seat.name());
        let sum: i64 = own().map(|line| line["amount"].as_i64().unwrap()).sum();
        assert_eq!(sum, purse(&game, seat));
        assert_eq!(own().next_back().unwrap()["balance"], sum);
    }
    let told: Vec<String> = lines
        .iter()
        .map(|line| format!("{} {} {} {}", line["turn"], line["seat"], line["what"], line["amount"]))
        .collect();
    assert_eq!(
        told,
        [
            "0 \"two\" \"at the start\" 40",
            "1 \"two\" \"guessed e2 4, e2e4 5\" 9",
            "1 \"two\" \"bought\" -12",
            "2 \"two\" \"forced it back\" -10",
            "2 \"one\" \"1 × being forced back, staked\" 20",
        ]
    );
    assert_eq!(mover(&game), Seat::Two);
}

#[test]
fn mated_player_without_money_sees_the_remaining_options() {
    let mate = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    let told = "You are in check, and no free move helps";
    let button = "name=\"action\" value=\"disclose\">Reveal my guesses</button>";
    let mut blind = game(json!({"fen": mate, "blind": true}));
    turn(&mut blind, "guess d8", "d8h4");
    let shown = page(&blind, Seat::One, "");
    assert!(shown.contains(told) && shown.contains(button) && shown.contains("Or resign"), "{shown}");
    assert!(!page(&blind, Seat::Two, "guess").contains(told));
    // Sealed and not yet opened, because the opponent's sheet is not in.
    act(&mut blind, Seat::One, "disclose");
    let shown = page(&blind, Seat::One, "disclose");
    assert!(!shown.contains("left out"), "{shown}");
    assert!(shown.contains("value=\"disclose\" checked>"), "{shown}");
    let mut poor = game(json!({"fen": mate, "blind": true}));
    turn(&mut poor, "guess a7", "d8h4");
    assert!(page(&poor, Seat::One, "").contains("You cannot afford any turn with 0Z"));
    act(&mut blind, Seat::Two, "guess");
    let shown = page(&blind, Seat::One, "");
    assert!(shown.contains(told) && !shown.contains("value=\"disclose\""), "only money helps now: {shown}");
    let mut open = game(json!({"fen": mate, "money_one": 3}));
    turn(&mut open, "guess", "d8h4");
    let shown = page(&open, Seat::One, "");
    assert!(shown.contains(told) && !shown.contains("Reveal my guesses"), "{shown}");
    assert!(!page(&game(json!({})), Seat::One, "").contains(told));
}

#[test]
fn own_locks_are_shown_while_they_count_and_only_to_their_owner() {
    let told = "<strong>2 guesses of your next sheet</strong>";
    let mut game = from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 100);
    open(&mut game, "guess e2", "lock 2 e2e4");
    assert!(part(&game, Some(Seat::One)).contains(told));
    assert!(part(&game, Some(Seat::Two)).contains("aria-label=\"Your sheet\"> <span class=\"chip\">"));
    for viewer in [None, Some(Seat::Two)] {
        assert!(!part(&game, viewer).contains("You staked"), "{viewer:?}");
    }
    act(&mut game, Seat::Two, "retract");
    assert!(!part(&game, Some(Seat::One)).contains(told), "the locks are used up");
    assert!(part(&game, Some(Seat::Two)).contains("cannot begin this turn with <strong>e2e4</strong>"));
    open(&mut game, "", "d2d4");
    assert!(!part(&game, Some(Seat::Two)).contains("cannot begin"), "another turn is already on the board");
    game.act(Actor::Seat(Seat::One), "resign", 1).unwrap();
    assert!(!part(&game, Some(Seat::Two)).contains("Your sheet"), "the sheet is no longer sealed");
    let mut quiet = from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 100);
    open(&mut quiet, "guess", "e2e4");
    assert!(part(&quiet, Some(Seat::Two)).contains("Your sheet is empty"));
}

#[test]
fn forced_back_turn_is_not_offered_as_a_draft() {
    let mut game = game(json!({"money_one": 60, "money_two": 60}));
    open(&mut game, "guess", "e2e3 e3e4");
    act(&mut game, Seat::Two, "retract");
    let told = page(&game, Seat::One, "e2e4");
    assert!(told.contains("Not yet: e2e3 e3e4 was forced back, and this turn leads to the same board."), "{told}");
    assert!(!page(&game, Seat::One, "e2e4 d2d4").contains("Not yet"));
}

#[test]
fn free_locks_do_not_reduce_the_sheet() {
    let mut game = game(json!({"retraction_guess": "free", "money_one": 50, "money_two": 50}));
    open(&mut game, "guess", "lock 3 e2e4");
    act(&mut game, Seat::Two, "retract");
    act(&mut game, Seat::One, "d2d4");
    act(&mut game, Seat::Two, "accept");
    turn(&mut game, "guess e7 d7 c7", "e7e5");
    let page = part(&game, Some(Seat::One));
    assert!(!page.contains("of your next sheet"), "{page}");
}

#[test]
fn last_guesses_can_be_repeated_where_their_pieces_remain() {
    let mut game = game(json!({}));
    let offered = "name=\"add\" value=\"g1f3 extra\">Repeat my last guesses";
    assert!(!page(&game, Seat::Two, "guess").contains("Repeat"), "there is no earlier sheet");
    turn(&mut game, "guess e2 g1f3 extra", "e2e4");
    assert!(!page(&game, Seat::One, "guess").contains("Repeat"), "the earlier sheet is the opponent's");
    turn(&mut game, "guess", "e7e5");
    let empty = page(&game, Seat::Two, "guess");
    assert!(empty.contains(offered), "{empty}");
    assert!(!page(&game, Seat::Two, "guess d2").contains("Repeat"), "the new sheet has begun");
}
