//! The programs in `examples/` do what they say, with a server as anybody starts it.

#[path = "../../examples/bot.rs"]
#[expect(dead_code, reason = "its own command line is not used here")]
mod bot;

use crate::program::Server;

/// In one variant all actions are listed, in the other bids are not.
#[tokio::test]
async fn the_bot_plays_to_the_end() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    for variant in ["lrs", "bidding"] {
        let outcome = bot::play(&server.address, variant, "bot:random").await.unwrap();
        assert!(outcome["reason"].is_string(), "{variant}: {outcome}");
    }
}
