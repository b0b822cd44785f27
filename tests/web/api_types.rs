//! Types of the API: pairs, durations, enums, errors and events have one form in every operation.

use super::{Method, Router, ask, get, keys::post, owners::with, request, site};
use axum::body::Body;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use zorkmid::registry::VARIANTS;

/// Every operation of the description, as method, path and description.
async fn operations(site: &Router) -> Vec<(Method, String, Value)> {
    let api = get(site, "/api/openapi.json").await.json();
    let paths = api["paths"].as_object().unwrap().iter();
    let operations =
        paths.flat_map(|(path, methods)| {
            methods.as_object().unwrap().iter().map(move |(method, operation)| {
                (method.to_uppercase().parse().unwrap(), path.clone(), operation.clone())
            })
        });
    operations.collect()
}

/// Address of an operation, with a value for every path parameter.
fn address(path: &str) -> String {
    let parts = path.split('/').map(|part| match part {
        "{kind}" => "mate",
        "{number}" => "1",
        part if part.starts_with('{') => "k3v9m2xq",
        part => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn exactly_the_required_bodies_cannot_be_left_out() {
    let site = site();
    for (method, path, operation) in operations(&site).await {
        if method != Method::GET {
            let answer = ask(&site, request(method.clone(), &address(&path))).await;
            let required = operation["requestBody"]["required"] == true;
            assert_eq!(answer.status == 415, required, "{method} {path}: {}", answer.body);
        }
    }
}

#[tokio::test]
async fn every_operation_refuses_unknown_parameters_by_name() {
    let site = site();
    for (method, path, _) in operations(&site).await {
        let answer = ask(&site, request(method.clone(), &format!("{}?grue=1", address(&path)))).await;
        let problem = answer.problem(400);
        assert_eq!(problem["field"], "grue", "{method} {path}");
        assert!(problem["detail"].as_str().unwrap().contains("“grue” is unknown"), "{method} {path}: {problem}");
    }
    let problem = get(&site, "/api/games?variant=chess&sort=age").await.problem(400);
    assert_eq!(problem["detail"], "The parameter “sort” is unknown. Expected: after, state, variant.");
}

#[tokio::test]
async fn every_operation_refuses_unknown_fields_by_name() {
    let site = site();
    let key = post(&site, "/api/keys", "", json!({})).await.json()["key"].as_str().unwrap().to_owned();
    let game = post(&site, "/api/games", &key, json!({"variant": "chess"})).await.json();
    let mut seen = 0;
    for (method, path, operation) in operations(&site).await {
        if operation["requestBody"]["content"]["application/json"].is_null() {
            continue;
        }
        let path = address(&path).replace("k3v9m2xq", game["id"].as_str().unwrap());
        let mut request = with(&key, method.clone(), &path);
        request.headers_mut().insert("content-type", "application/json".parse().unwrap());
        *request.body_mut() = Body::from("{\"grue\": 1}");
        let problem = ask(&site, request).await.problem(400);
        assert_eq!(problem["field"], "grue", "{method} {path}: {problem}");
        seen += 1;
    }
    assert!(seen > 9, "only {seen} operations have a body");
}

#[tokio::test]
async fn json_errors_say_what_was_expected_and_where() {
    let site = site();
    let send = async |body: &str| {
        let mut request = request(Method::POST, "/api/games");
        request.headers_mut().insert("content-type", "application/json".parse().unwrap());
        *request.body_mut() = Body::from(body.to_owned());
        ask(&site, request).await.problem(400)
    };
    for (body, field, at, detail) in [
        ("{\"variant\": \"chess\"", "body", 18, "The body is not valid JSON at line 1, column 19: the end is missing."),
        (
            "{\"variant\" \"chess\"}",
            "body",
            11,
            "The body is not valid JSON at line 1, column 12: expected a colon after the name of the field.",
        ),
        ("", "body", 0, "The body is empty; expected an object."),
        (" [\"chess\"]", "body", 0, "The body is a list; expected an object."),
        ("{}", "variant", 1, "The field “variant” is missing."),
        ("{\"variant\": 7}", "variant", 12, "The field “variant” is 7; expected a text."),
        ("{\"variant\": [\"chess\"]}", "variant", 12, "The field “variant” is a list; expected a text."),
        (
            "{\"variant\": \"chess\", \"claim_days\": \"two\"}",
            "claim_days",
            39,
            "The field “claim_days” is a text; expected a whole number of zero or more.",
        ),
    ] {
        let problem = send(body).await;
        assert_eq!((&problem["field"], &problem["detail"]), (&json!(field), &json!(detail)), "{body}");
        assert!(problem["at"].as_i64().is_some_and(|found| (found - at).abs() <= 1), "{body}: {problem}");
    }
}

#[tokio::test]
async fn unknown_variants_have_one_status() {
    let site = site();
    let key = post(&site, "/api/keys", "", json!({})).await.json()["key"].as_str().unwrap().to_owned();
    let unknown = json!({"variant": "grue"});
    for answer in [
        post(&site, "/api/games", "", unknown.clone()).await,
        post(&site, "/api/lobby", "", unknown).await,
        get(&site, "/api/games?variant=grue").await,
        get(&site, "/api/lobby/events?variant=grue").await,
        ask(&site, with(&key, Method::GET, "/api/keys/games?variant=grue")).await,
    ] {
        let problem = answer.problem(422);
        assert_eq!((&problem["field"], &problem["type"]), (&json!("variant"), &json!("/docs/errors#body")));
    }
}

#[tokio::test]
async fn missing_and_wrong_parameters_are_called_parameters() {
    let site = site();
    for (path, field, detail) in [
        ("/api/betza", "piece", "The parameter “piece” is missing."),
        ("/api/worth", "piece", "The parameter “piece” is missing."),
        ("/api/records", "ids", "The parameter “ids” is missing."),
        ("/api/games?state=x", "state", "The parameter “state” "),
    ] {
        let problem = get(&site, path).await.problem(400);
        assert_eq!(problem["field"], field);
        assert!(problem["detail"].as_str().unwrap().starts_with(detail), "{problem}");
    }
    let unknown = get(&site, "/api/records?ids=nosuchgm").await;
    assert!(unknown.body.contains("\"error\":\"There is no game"), "{}", unknown.body);
}

#[tokio::test]
async fn refused_actions_name_the_accepted_forms() {
    let site = site();
    let refused = async |variant: &str, action: &str| {
        let begun = post(&site, "/api/games", "", json!({"variant": variant})).await.json();
        let path = format!("/api/games/{}/actions", begun["id"].as_str().unwrap());
        let token = begun["seats"][0]["token"].as_str().unwrap();
        let problem = post(&site, &path, token, json!({"ply": 0, "action": action})).await.problem(422);
        problem["detail"].as_str().unwrap().to_owned()
    };
    for (variant, action, start, part) in [
        ("chess", "Nf6", "“Nf6” is not a legal move here", "as in e2e4 or e7e8q, or in algebraic notation."),
        ("chess", "O-O", "“O-O” is not a legal move here", "algebraic notation"),
        ("chess", "hello", "A move is written as two squares", "e2e4"),
    ] {
        let detail = refused(variant, action).await;
        assert!(detail.starts_with(start) && detail.contains(part), "{variant}, {action}: {detail}");
    }
}

#[tokio::test]
async fn error_for_an_empty_action_gives_a_legal_one() {
    let site = site();
    for variant in VARIANTS {
        let begun = post(&site, "/api/games", "", json!({"variant": variant.key, "opponent": "self"})).await.json();
        let path = format!("/api/games/{}/actions", begun["id"].as_str().unwrap());
        let game = get(&site, &format!("/api/games/{}", begun["id"].as_str().unwrap())).await.json();
        let asked = if game["turn"]["awaits"][0] == "one" { 0 } else { 1 };
        let token = begun["seats"][asked]["token"].as_str().unwrap();
        let act = async |action: &str| post(&site, &path, token, json!({"ply": game["ply"], "action": action})).await;
        let detail = act(" ").await.problem(422)["detail"].as_str().unwrap().to_owned();
        let example =
            detail.strip_prefix("The action is empty: write one, such as ").unwrap_or_else(|| panic!("{detail}"));
        let example = example.trim_end_matches('.').split(" or ").next().unwrap();
        assert_eq!(act(example).await.status, 200, "{}: {detail}", variant.key);
    }
}

#[tokio::test]
async fn error_for_a_seat_names_the_game_that_was_sent() {
    let site = site();
    let full = post(&site, "/api/games", "", json!({"variant": "chess", "opponent": "self"})).await.json();
    let invited = post(&site, "/api/games", "", json!({"variant": "chess"})).await.json();
    for (game, status, start) in [
        (&full["id"], 422, "Both seats of this game are taken".to_owned()),
        (&invited["id"], 404, format!("There is no open game {}", invited["id"].as_str().unwrap())),
        (&json!("nosuchgm"), 404, "There is no open game nosuchgm".to_owned()),
    ] {
        let problem = post(&site, "/api/seats", "", json!({"game": game})).await.problem(status);
        assert_eq!(problem["field"], "game");
        assert!(problem["detail"].as_str().unwrap().starts_with(&start), "{problem}");
    }
}

#[tokio::test]
async fn key_cannot_play_against_itself() {
    let site = site();
    let key = post(&site, "/api/keys", "", json!({})).await.json()["key"].as_str().unwrap().to_owned();
    let own = json!({"variant": "chess", "opponent": "self"});
    let problem = post(&site, "/api/games", &key, own.clone()).await.problem(422);
    assert_eq!(problem["field"], "opponent");
    assert!(problem["detail"].as_str().unwrap().starts_with("A key cannot hold both seats of a game."), "{problem}");
    assert_eq!(post(&site, "/api/games", "", own).await.json()["seats"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn clocks_are_pairs_in_milliseconds_and_former_forms_work() {
    let site = site();
    let (minutes, days) = (json!({"initial_ms": 300_000, "increment_ms": 3_000}), json!({"move_ms": 172_800_000}));
    let former = (json!({"initial": 300, "increment": 3}), json!({"days": 2}));
    for clock in [json!({"one": minutes, "two": days}), json!([former.0, former.1])] {
        let begun = post(&site, "/api/games", "", json!({"variant": "chess", "opponent": "open", "clock": clock}));
        let begun = begun.await.json();
        let id = begun["id"].as_str().unwrap();
        let game = get(&site, &format!("/api/games/{id}")).await.json();
        assert_eq!(game["clocks"]["one"]["control"]["initial_ms"], 300_000, "{clock}");
        assert_eq!(game["clocks"]["one"]["remaining_ms"], 300_000);
        assert_eq!(game["clocks"]["two"]["control"]["move_ms"], 172_800_000);
        assert_eq!(game["offers"]["rematch_offers"], json!({"one": false, "two": false}));
        let record = get(&site, &format!("/api/games/{id}/record.json")).await.json();
        let open = get(&site, "/api/games").await.json()["open"][0].clone();
        for clocks in [&record["clocks"], &open["clocks"]] {
            assert_eq!(clocks["one"]["increment_ms"], 3_000);
            assert_eq!(clocks["two"]["move_ms"], 172_800_000);
        }
        // What the site answers can be sent again.
        let again = json!({"variant": "chess", "clock": record["clocks"]});
        post(&site, "/api/games", "", again).await.json();
        let read = zorkmid::game::record::Transcript::from_json(&json!({
            "variant": "chess", "lines": [], "clocks": record["clocks"],
        }));
        assert_eq!(json!(read.unwrap().clocks), record["clock"]);
    }
    for wrong in [
        json!({"one": minutes}),
        json!({"initial_ms": 300_500, "increment_ms": 0}),
        json!({"initial_ms": 300_000, "increment_ms": "3"}),
        json!({"initial_ms": 0, "increment_ms": 0}),
        json!({"one": minutes, "two": {"move_ms": 31 * 86_400_000_i64}}),
        json!({"initial_ms": 300_000, "increment_ms": 3_000, "initial": 60}),
        json!({"move_ms": 86_400_000, "initial_ms": 1_000}),
    ] {
        let problem = post(&site, "/api/games", "", json!({"variant": "chess", "clock": wrong})).await.problem(422);
        assert_eq!((&problem["field"], &problem["type"]), (&json!("clock"), &json!("/docs/errors#clock")), "{problem}");
    }
    let problem =
        post(&site, "/api/games", "", json!({"variant": "chess", "clock": {"move_ms": 5}})).await.problem(422);
    assert_eq!(problem["detail"], "“move_ms” must be whole days in milliseconds: a multiple of 86400000.");
    post(&site, "/api/games", "", json!({"variant": "chess", "claim_ms": 86_400_000})).await.json();
    for (field, value) in [("claim_ms", 5), ("claim_ms", 366 * 86_400_000_i64), ("claim_days", 0), ("claim_days", 366)]
    {
        let problem = post(&site, "/api/games", "", json!({"variant": "chess", field: value})).await.problem(422);
        assert_eq!(problem["field"], field, "{problem}");
    }
}

/// Every schema of the description, with its path.
fn schemas(value: &Value, path: &str, found: &mut Vec<(String, Value)>) {
    if value["description"].is_string() {
        found.push((path.to_owned(), value.clone()));
    }
    for (key, member) in value.as_object().into_iter().flatten() {
        schemas(member, &format!("{path}/{key}"), found);
    }
    value.as_array().into_iter().flatten().for_each(|item| schemas(item, path, found));
}

#[tokio::test]
async fn durations_name_their_unit_and_seats_are_not_lists() {
    let api = get(&site(), "/api/openapi.json").await.json();
    let mut found = Vec::new();
    schemas(&api["components"]["schemas"], "", &mut found);
    for (path, schema) in found {
        let words = schema["description"].as_str().unwrap();
        if words.starts_with("Former") {
            continue;
        }
        let number = schema["type"] == "integer" || schema["type"] == json!(["integer", "null"]);
        if number && (words.contains("seconds") || words.contains(" days")) && !words.contains("epoch") {
            assert!(path.ends_with("_ms"), "{path}: {words}");
        }
        let list = schema["type"] == "array";
        assert!(!(list && (words.contains("seat one") || words.contains("each seat"))), "{path}: {words}");
    }
}

/// Texts with a fixed set of values are enums.
#[tokio::test]
async fn fixed_texts_are_enums() {
    let api = get(&site(), "/api/openapi.json").await.json();
    let schemas = &api["components"]["schemas"];
    for (schema, field, value) in [
        ("NewGame", "seat", "random"),
        ("SeekAnswer", "found", "offered"),
        ("ReviewAnswer", "state", "known"),
        ("OptionAnswer", "type", "integer"),
        ("RecordedLine", "actor", "chance"),
        ("NoticeAnswer", "way", "hook"),
        ("MeasuredPiece", "state", "waiting"),
        ("PuzzleQuestion", "kind", "least-bid"),
        ("PuzzleQuestion", "form", "offered"),
        ("PuzzleQuestion", "side", "white"),
        ("PuzzleQuestion", "difficulty", "hard"),
        ("PendingSeats", "phase", "stakes"),
        ("OwnGame", "phase", "over"),
        ("CsipgsChessView", "phase", "estimate"),
        ("CsipgsChessView", "quantum", "1/2"),
        ("BiddingChessView", "tie", "rebid"),
        ("BiddingAccount", "settled", "loser"),
        ("SettledDeal", "verdict", "void"),
        ("Advice", "asked", "sealed"),
        ("Advice", "mover", "white"),
        ("FourAdvice", "ahead", "black"),
        ("WinnerChange", "what", "coin"),
        ("WinnerChange", "to", "white"),
        ("Verdict", "answer", "give"),
        ("Verdict", "winner", "white"),
        ("LineMove", "mover", "black"),
        ("Answer", "turn", "white"),
        ("Answer", "terminal", "black"),
    ] {
        let field_schema = &schemas[schema]["properties"][field];
        let some =
            field_schema["oneOf"].as_array().and_then(|forms| forms.iter().find(|form| form["$ref"].is_string()));
        let place = some.unwrap_or(field_schema)["$ref"].as_str();
        let named =
            api.pointer(place.unwrap_or_else(|| panic!("{schema}.{field}: {field_schema}")).trim_start_matches('#'));
        assert!(named.unwrap()["enum"].as_array().unwrap().contains(&json!(value)), "{schema}.{field}");
    }
    let resolved = |schema: &Value| match schema["$ref"].as_str() {
        Some(place) => api.pointer(place.trim_start_matches('#')).unwrap().clone(),
        None => schema.clone(),
    };
    for (schema, field, value) in [("ActionForm", "phases", "weigh"), ("GradedAnswer", "themes", "king-move")] {
        let items = resolved(&schemas[schema]["properties"][field]["items"]);
        assert!(items["enum"].as_array().unwrap().contains(&json!(value)), "{schema}.{field}: {items}");
    }
    for (path, name, value) in [
        ("/api/richman", "tie", "rebid"),
        ("/api/richman", "holder", "black"),
        ("/api/richman", "bids", "white"),
        ("/api/richman", "price", "second"),
        ("/api/richman", "money", "taxman"),
        ("/api/richman/heat", "form", "csv"),
        ("/api/betza", "quantum", "1/10"),
        ("/api/pieces", "how", "beyond"),
        ("/api/bookie", "first", "black"),
        ("/api/puzzle/next", "theme", "all-in"),
        ("/api/puzzle/next", "difficulty", "easy"),
    ] {
        let parameters = api["paths"][path]["get"]["parameters"].as_array().unwrap();
        let parameter = parameters.iter().find(|parameter| parameter["name"] == name).unwrap();
        let schema = resolved(&parameter["schema"]);
        let values = schema["enum"].as_array().unwrap_or_else(|| panic!("{path} {name}: {schema}"));
        assert!(values.contains(&json!(value)), "{path} {name}");
    }
}

#[tokio::test]
async fn reference_pages_are_named_for_their_operations() {
    let page = get(&site(), "/docs/reference").await;
    let sidebar =
        page.page(200).split_once("<nav class=\"contents\"").unwrap().1.split_once("</nav>").unwrap().0.to_owned();
    let titles: Vec<&str> =
        sidebar.split("</a>").filter_map(|part| part.rsplit_once('>')).map(|(_, title)| title).collect();
    assert!(titles.contains(&"Creating and joining games"), "{titles:?}");
    assert!(titles.iter().all(|title| !title.contains('(')), "{titles:?}");
    assert_eq!(titles.iter().collect::<BTreeSet<_>>().len(), titles.len(), "{titles:?}");
}

#[tokio::test]
async fn sandbox_has_a_command_for_every_reading_operation() {
    let site = site();
    let page = get(&site, "/docs/sandbox").await;
    let reading: Vec<String> = {
        let operations = operations(&site).await.into_iter();
        operations.filter(|(method, ..)| method == Method::GET).map(|(_, path, _)| path).collect()
    };
    for path in &reading {
        assert!(page.page(200).contains(&format!(" data-path=\"{path}\">")), "{path}");
    }
    assert_eq!(page.body.matches(" data-path=").count(), reading.len());
    let own = page.body.split("data-path=\"/api/games/{id}\"").nth(1).unwrap().split("</form>").next().unwrap();
    assert!(own.contains("curl &#34;$ZORKMID/api/games/k3v9m2xq&#34;"), "{own}");
    assert!(own.contains("data-about=\"Only entries before this one, counted from 0"), "{own}");
    let stream = page.body.split("data-path=\"/api/stream\"").nth(1).unwrap().split("</details>").next().unwrap();
    assert!(stream.contains("curl -N") && !stream.contains("<button"), "{stream}");
}
