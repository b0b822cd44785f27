//! The programs in `examples/` do what they say, with a server as anybody starts it.

#[path = "../../examples/bot.rs"]
#[expect(dead_code, reason = "its own command line is not used here")]
mod bot;

use zorkmid::variants::VARIANTS;

use crate::program::Server;

/// It says only what is listed, which is enough in every phase of every variant.
#[tokio::test]
async fn the_bot_plays_every_variant_to_the_end() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let games = VARIANTS.iter().map(|variant| {
        let address = server.address.clone();
        (variant.key, tokio::spawn(async move { bot::play(&address, variant.key, "bot:random").await }))
    });
    for (variant, game) in games.collect::<Vec<_>>() {
        let outcome = game.await.unwrap().unwrap_or_else(|why| panic!("{variant}: {why}"));
        assert!(outcome["reason"].is_string(), "{variant}: {outcome}");
    }
}
