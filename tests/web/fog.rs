//! Fog of war on the site: no byte sent to the opponent or to spectators reveals a hidden piece.

use super::stakes::{Game, still};
use serde_json::json;

#[tokio::test]
async fn no_byte_reveals_pieces_in_the_fog() {
    // Earlier actions, the seat with the secret move, the move in two worlds, later actions.
    type Case<'c> = (&'c str, &'c [&'c str], usize, [&'c str; 2], &'c [&'c str]);
    let cases: [Case; 6] = [
        ("", &["one e2e4"], 1, ["b7b6", "h7h6"], &[]),
        ("", &["one e2e4"], 1, ["b8c6", "c7c5"], &["one h2h3"]),
        ("", &[], 0, ["e2e4", "b1c3"], &[]),
        ("", &["one a2a3"], 1, ["g8f6", "a7a5"], &["one h2h3", "two h7h6", "one b2b3"]),
        // Promotion to different pieces, and castling.
        ("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", &[], 1, ["a2a1n", "a2a1b"], &["one e1e2"]),
        ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", &[], 1, ["e8c8", "a8b8"], &["one e1e2"]),
    ];
    for (fen, before, seat, secrets, after) in cases {
        let mut worlds = Vec::new();
        for secret in secrets {
            let site = still();
            let game = Game::begin(&site, "fog-of-war", json!({"fen": fen})).await;
            game.say(before).await;
            let own = game.act(seat, secret).await;
            assert_eq!(own.status, 200, "{secret}: {}", own.body);
            game.say(after).await;
            let tries = ["e7e4", "e2e5", "Nxe5", "a7a2", "h1h8", "takeback", "claim", "nonsense", "e2e8"];
            worlds.push(game.told(1 - seat, &tries).await);
        }
        for (one, other) in worlds[0].iter().zip(&worlds[1]) {
            assert_eq!(one, other, "{secrets:?}");
        }
    }
}

#[tokio::test]
async fn fog_is_drawn_and_lifts_after_the_game() {
    let site = still();
    let game = Game::begin(&site, "fog-of-war", json!({})).await;
    game.say(&["one e2e4", "two e7e5"]).await;
    let id = &game.id;
    for (viewer, hidden) in [(None, 64), (Some(0), 30)] {
        let page = game.get(&format!("/games/{id}"), viewer).await;
        assert_eq!(page.page(200).matches(" fog\" data-square").count(), hidden);
    }
    let picture = |svg: &str| svg.matches("fill-opacity=\".6\"").count();
    assert_eq!(picture(&game.get(&format!("/games/{id}/image.svg"), None).await.body), 64);
    game.say(&["two resign"]).await;
    assert_eq!(picture(&game.get(&format!("/games/{id}/image.svg"), None).await.body), 0);
    let record = game.get(&format!("/games/{id}/record.pgn"), None).await;
    assert!(record.body.contains("1. e4 e5") && record.body.contains("[Variant \"Fog of War\"]"), "{}", record.body);
}
