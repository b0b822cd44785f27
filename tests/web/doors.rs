//! Doors into a finished game. An invitation, the lobby, a new invitation and a rematch never seat a player in a game that is over.

use serde_json::{Value, json};

use super::games::Browser;
use super::{
    api::{begin, looking, post},
    ask, get, site,
};

#[tokio::test]
async fn no_door_leads_into_a_finished_game() {
    let site = site();
    for opponent in ["link", "open"] {
        for end in ["abort", "resign"] {
            let wanted = json!({"variant": "chess", "opponent": opponent});
            let begun = post(&site, "/api/games", None, wanted).await.json();
            let (id, token) = (begun["id"].as_str().unwrap(), begun["seats"][0]["token"].as_str());
            let path = format!("/api/games/{id}");
            let code = match begun["invite"]["code"].as_str() {
                Some(code) => code.to_owned(),
                None => {
                    let new = post(&site, &format!("{path}/invite"), token, json!({})).await;
                    new.json()["code"].as_str().unwrap_or_default().to_owned()
                }
            };
            let over = post(&site, &format!("{path}/actions"), token, json!({"ply": 0, "action": end})).await.json();
            assert_ne!(over["outcome"], Value::Null, "{over}");
            let before = get(&site, &path).await.json();
            for door in [json!({"code": code}), json!({"game": id})] {
                let refused = post(&site, "/api/seats", None, door.clone()).await;
                assert!([404, 422].contains(&refused.status.as_u16()), "{opponent} {end} {door}: {}", refused.body);
            }
            let refused = post(&site, &format!("{path}/invite"), token, json!({})).await;
            assert!(refused.status.is_client_error(), "{}", refused.body);
            let mut guest = Browser::new(&site);
            if !code.is_empty() {
                let page = guest.get(&format!("/invite/{code}")).await;
                assert!(page.page(200).contains("This game is over") && !page.body.contains("Join the game"));
                assert_eq!(guest.post(&format!("/invite/{code}"), &[("name", "Eve")]).await.status, 422);
            }
            assert!(guest.post(&format!("/games/{id}/join"), &[]).await.status.is_client_error());
            assert!(guest.tokens(&format!("/games/{id}")).is_empty());
            assert_eq!(get(&site, &path).await.json(), before, "{opponent} {end}: a door changed the game");
        }
    }
}

#[tokio::test]
async fn an_aborted_rematch_seats_nobody() {
    let site = site();
    let game = begin(&site, json!({"variant": "chess"})).await;
    game.act(&site, 0, 0, "resign").await.json();
    for seat in [0, 1] {
        let ply = game.look(&site).await["ply"].as_u64().unwrap() as usize;
        game.act(&site, seat, ply, "rematch").await.json();
    }
    let mut codes = Vec::new();
    for token in &game.tokens {
        codes.push(ask(&site, looking(&game.id, token)).await.json()["rematch_invite"].clone());
    }
    let sat = post(&site, "/api/seats", None, json!({"code": codes[0]})).await.json();
    let rematch = format!("/api/games/{}", sat["id"].as_str().unwrap());
    let abort = json!({"ply": 0, "action": "abort"});
    post(&site, &format!("{rematch}/actions"), sat["token"].as_str(), abort).await.json();
    post(&site, "/api/seats", None, json!({"code": codes[1]})).await.problem(422);
    assert_eq!(get(&site, &rematch).await.json()["outcome"]["reason"], "aborted");
}
