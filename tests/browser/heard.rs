//! Whole games by ear: each player hears every line of the own move list and every offer once and in order, and nothing that is hidden.

use super::{
    Browser, MATE, Site,
    access::{LISTEN, say},
    begin,
    driver::screen,
    kinds::golden,
};
use serde_json::{Value, json};

/// Lines of the move list as they are spoken.
const LINES: &str = "[...document.querySelectorAll('.table .moves [data-spoken]')].map((line) => line.dataset.spoken)";

/// A game that is played through the API while each player listens in a browser.
struct Heard<'s> {
    site: &'s str,
    begun: Value,
    players: [Browser; 2],
}

impl Heard<'_> {
    async fn look(&self, seat: usize) -> Value {
        let address = format!("{}/api/games/{}", self.site, self.begun["id"].as_str().unwrap());
        let token = self.begun["seats"][seat]["token"].as_str().unwrap();
        reqwest::Client::new().get(address).bearer_auth(token).send().await.unwrap().json().await.unwrap()
    }

    /// Plays an action, and waits until both pages show it.
    async fn act(&self, seat: usize, action: &str) {
        say(self.site, &self.begun, seat, action).await;
        let version = self.look(seat).await["version"].clone();
        for player in &self.players {
            player.until(&format!("Number(document.getElementById('game').dataset.version) >= {version}")).await;
        }
    }

    /// Checks that a player hears a text once, and takes it out of the record of what was heard.
    async fn hear(&self, seat: usize, words: &str) {
        let player = &self.players[seat];
        player.until(&format!("heard.at(-1)?.includes({words:?})")).await;
        let count = player.ask(&format!("return heard.filter((said) => said.includes({words:?})).length")).await;
        assert_eq!(count, 1, "{words}");
        player.ask("heard.pop()").await;
    }

    /// Checks what each player has heard of the moves, and returns the rest.
    async fn rest(&self, seat: usize) -> String {
        let lines = self.players[seat].ask(&format!("return {LINES}.slice(known)")).await;
        let heard = self.players[seat].ask("return heard.splice(0).join(' ')").await;
        let (mut rest, mut other) = (heard.as_str().unwrap(), String::new());
        for line in lines.as_array().unwrap() {
            let line = line.as_str().unwrap().trim_end_matches('.');
            let (before, after) = rest.split_once(line).unwrap_or_else(|| panic!("{line:?} is not in {rest:?}"));
            other += before;
            rest = after;
        }
        other + rest
    }
}

#[tokio::test]
async fn both_players_hear_whole_games() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let chess = MATE[..3].iter().enumerate().map(|(ply, (from, to))| (ply % 2, format!("{from}{to}"))).collect();
    let bids = [(0, "bid 87"), (1, "bid 65")].map(|(seat, bid)| (seat, bid.to_owned())).into();
    let records = [
        ("bidding-secret", 24),
        ("bidding-open", 20),
        ("clairvoyant-standard", 24),
        ("csipgs-standard", 24),
        ("fog-of-war-standard", 20),
    ];
    let mut games = vec![
        (json!({"variant": "chess", "opponent": "self"}), chess, 0),
        (json!({"variant": "bookie", "opponent": "self"}), bids, 5),
    ];
    games.extend(records.map(|(record, length)| golden(record, length)).map(|(game, actions)| (game, actions, 0)));
    for (game, actions, more) in games {
        let begun = begin(&site, game).await;
        let players = [Browser::new(&screen).await, Browser::new(&screen).await];
        for (player, seat) in players.iter().zip(begun["seats"].as_array().unwrap()) {
            player.open(seat["url"].as_str().unwrap()).await;
            player.open(begun["url"].as_str().unwrap()).await;
            player.until("document.querySelector('.board[role=grid]')").await;
            player.ask(&format!("{LISTEN}; window.known = {LINES}.length")).await;
        }
        let game = Heard { site: &site, begun, players };
        for (seat, action) in &actions {
            game.act(*seat, action).await;
        }
        for step in 0..more {
            let seat = usize::from(game.look(0).await["turn"]["awaits"][0] == "two");
            let listed = game.look(seat).await["actions"].clone();
            let moves: Vec<&str> = listed.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            if let Some(action) = moves.iter().filter(|action| !action.contains('{')).nth(step % 3) {
                game.act(seat, action).await;
            }
        }
        for seat in [0, 1] {
            let rest = game.rest(seat).await;
            for sentence in rest.split(". ") {
                let own = actions.iter().any(|(by, action)| *by == seat && sentence == format!("Sealed: {action}"));
                let stakes =
                    ["You play ", "Your opponent bid ", "A draw pays "].iter().any(|say| sentence.starts_with(say));
                let told = sentence.contains(|letter: char| letter.is_ascii_digit())
                    || ["White:", "Black:"].iter().any(|side| sentence.contains(side));
                assert!(own || stakes || !told, "{seat} {sentence:?} in {rest}");
            }
        }
        // A deal from a random position can end within a few moves, and then offers are refused.
        if more > 0 && game.players[0].ask("return document.getElementById('game').dataset.phase").await != "move" {
            continue;
        }
        game.act(0, "draw").await;
        game.hear(1, "Your opponent offers a draw").await;
        game.act(1, "decline").await;
        game.hear(0, "declined").await;
        game.act(1, "resign").await;
        game.hear(0, "You won").await;
        game.hear(1, "You lost").await;
    }
}
