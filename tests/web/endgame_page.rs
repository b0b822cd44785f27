//! Endgame page beyond the value: factors, arrows, lines for coin tosses, other boards, new games, and citation.

use super::*;
use serde_json::Value;
use std::net::IpAddr;
use zorkmid::play::on_behalf_of;

/// An endgame page, once its computation has finished.
async fn page(site: &Router, query: &str) -> String {
    loop {
        let told = get(site, &format!("/endgames?{query}")).await;
        if told.status != StatusCode::ACCEPTED {
            return told.page(200).to_owned();
        }
    }
}

/// Address of the link with a text.
fn link(page: &str, words: &str) -> Option<String> {
    let (before, _) = page.split_once(&format!(">{words}</a>"))?;
    let (_, link) = before.rsplit_once("href=\"")?;
    Some(link.split('"').next()?.replace("&amp;", "&").replace("&#38;", "&"))
}

#[tokio::test]
async fn denominators_are_factored() {
    let site = solved();
    for (fen, factors) in [
        ("8/8/8/8/3k4/8/8/K2N4", "2<sup>9</sup> · 3<sup>2</sup> · 7<"),
        ("3/N2/3/1k1/3/3/3/1K1", "3<sup>2</sup> · 7 · 13<"),
        ("k7/8/8/8/8/8/8/K6R", "2<sup>13</sup><"),
        // As in the paper, except for the last two primes, which are too large for trial division.
        (
            "4N3/8/8/8/8/8/8/k2K4",
            "2<sup>131</sup> · 3<sup>4</sup> · 5<sup>3</sup> · 7<sup>2</sup> · 17 · 211 · 487 · 63587 · 68891 · 1894603 · 10",
        ),
    ] {
        let page = page(&site, &format!("fen={fen}")).await;
        assert!(page.contains(&format!("Denominator: <span class=\"amount\">{factors}")), "{fen}");
    }
    // A prime and 1 need no factors.
    let half = page(&site, "fen=8/8/8/8/8/8/8/k6K").await;
    assert!(half.contains("α = β") && !half.contains("Denominator:"));
}

#[tokio::test]
async fn best_moves_are_arrows() {
    let site = solved();
    let count = |page: &str, side: &str| page.matches(&format!("<g class=\"{side}\">")).count();
    let arrows = async |fen: &str| {
        let page = page(&site, &format!("fen={fen}")).await;
        (count(&page, "white"), count(&page, "black"))
    };
    assert_eq!(arrows("8/8/8/8/3k4/8/8/K2N4").await, (1, 1));
    assert_eq!(arrows("3k3R/8/3K4/8/8/8/8/8").await, (1, 3), "Kc7, Kd7 and Ke7");
    assert_eq!(arrows("3k/4/4/K2N").await.0, 3);
    assert_eq!(arrows("8/8/8/8/8/8/8/K7").await, (0, 0));
    // The arrows are hidden while a piece is selected.
    assert_eq!(arrows("8/8/8/8/3k4/8/8/K2N4&from=d1").await, (0, 0));
    // From near d1 to just before c3, in hundredths of a square from the corner of a8.
    let zugzwang = page(&site, "fen=8/8/8/8/3k4/8/8/K2N4").await;
    assert!(zugzwang.contains("d=\"M335 720L256 563"), "{zugzwang}");
}

#[tokio::test]
async fn line_for_coin_tosses_is_kept_in_the_address() {
    let site = solved();
    let fen = "8/8/8/8/3k4/8/8/K2N4";
    for (query, location) in [
        ("toss=w", "&turns=w"),
        ("turns=w&toss=b&heat=N", "&heat=N&turns=wb"),
        ("turns=wb&toss=back", "&turns=w"),
        ("turns=w&toss=back", ""),
        ("turns=wbbw&toss=none", ""),
        ("turns=W%20B&toss=w", "&turns=wbw"),
        // The tosses stay when a piece is selected.
        ("turns=wb&square=d1", "&from=d1&turns=wb"),
    ] {
        let answer = get(&site, &format!("/endgames?fen={fen}&{query}")).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("location")),
            (303, &*format!("/endgames?fen={fen}{location}"))
        );
    }
    let line = get(&site, &format!("/api/richman/mainline?fen={fen}&turns=wbbw")).await.json();
    let shown = page(&site, &format!("fen={fen}&turns=wbbw")).await;
    let rows = shown.split_once("aria-label=\"The line\"").unwrap().1.split_once("</table>").unwrap().0;
    for (played, row) in line["moves"].as_array().unwrap().iter().zip(rows.split("<tr><td").skip(1)) {
        assert!(row.contains(&format!(">{}</a>", played["san"].as_str().unwrap())), "{row}");
    }
    assert_eq!(rows.matches("<tr><td").count(), 4);
    assert!(shown.contains("The king is captured: the game is over."));
    let longer = page(&site, &format!("fen={fen}&turns=wbbwwb")).await;
    assert!(longer.contains("2 tosses have no effect."));
    let end = link(&longer, "Show final position").unwrap();
    assert!(get(&site, &end).await.page(200).contains("The game is over: the black king has been captured"));
    assert!(!page(&site, &format!("fen={fen}")).await.contains("aria-label=\"The line\""));
    let wrong = get(&site, &format!("/endgames?fen={fen}&turns=wx%3Cb")).await;
    assert!(
        wrong.page(400).contains("“x” is not a side; write w or b for each move.")
            && wrong.body.contains("value=\"wx&#60;b\"")
    );
    let long = get(&site, &format!("/endgames?fen={fen}&turns={}&toss=w", "w".repeat(200))).await;
    assert!(long.page(400).contains("a line has at most 200 moves"));
    get(&site, &format!("/endgames?fen={fen}&toss=q")).await.page(400);
    get(&site, &format!("/endgames?fen={fen}&turns=w&turns=b")).await.page(400);
}

#[tokio::test]
async fn boards_of_every_size_are_one_click_away() {
    let site = solved();
    let shown = page(&site, "fen=8/8/8/8/3k4/8/8/K2N4").await;
    for side in 3..8 {
        let square = link(&shown, &format!("{side}×{side}")).unwrap();
        let page = get(&site, &square).await;
        assert!(page.page(200).contains(&format!("data-width=\"{side}\" data-height=\"{side}\"")), "{square}");
        assert!(page.body.contains("α = β"), "{square}");
        for name in ["files", "ranks"] {
            let words = format!("{side} <span class=\"visually-hidden\">{name}</span>");
            let [width, height] = if name == "files" { [side, 8] } else { [8, side] };
            let link = link(&shown, &words).unwrap();
            let page = get(&site, &link).await;
            assert!(page.page(200).contains(&format!("data-width=\"{width}\" data-height=\"{height}\"")), "{link}");
        }
    }
    assert!(shown.contains("aria-current=\"true\" data-same=\"square 8\""), "the current size is marked");
    // A piece beyond the edge moves to the nearest free square. Pawns stay between the outer ranks.
    assert_eq!(link(&shown, "3×3").as_deref(), Some("/endgames?fen=2k/3/K1N"));
    let pawns = page(&site, "fen=k7/p6P/8/8/8/8/8/K7").await;
    assert_eq!(link(&pawns, "3×3").as_deref(), Some("/endgames?fen=k2/p1P/K2"));
    // A whole army does not fit the smallest board.
    let army = page(&site, "fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").await;
    assert_eq!(link(&army, "3×3"), None);
    assert!(army.contains("<span class=\"button\" aria-disabled=\"true\">3×3</span>"));
}

#[tokio::test]
async fn game_begins_from_the_position_shown() {
    let site = solved();
    let shown = page(&site, "fen=8/8/8/8/3k4/8/8/K2N4").await;
    let forms: Vec<&str> = shown.split("<form method=\"post\" action=\"/games\">").skip(1).collect();
    let named = |form: &str| form.split("<h3>").nth(1).and_then(|rest| rest.split("</h3>").next()).map(str::to_owned);
    let names: Vec<String> = forms.iter().filter_map(|form| named(form)).collect();
    assert_eq!(names, ["Bidding chess, open", "Bidding chess, secret", "Random-turn chess"]);
    for form in forms {
        let form = form.split_once("</form>").unwrap().0;
        let fields = form.split("<input type=\"hidden\" name=\"").skip(1).map(|rest| {
            let (name, rest) = rest.split_once("\" value=\"").unwrap();
            let value = percent_encoding::utf8_percent_encode(
                rest.split('"').next().unwrap(),
                percent_encoding::NON_ALPHANUMERIC,
            );
            format!("{name}={value}")
        });
        let fields: Vec<String> = fields.collect();
        for opponent in ["bot:steady", "link"] {
            assert!(form.contains(&format!("name=\"opponent\" value=\"{opponent}\"")));
            let mut begin = request(Method::POST, "/games");
            begin.headers_mut().insert("content-type", "application/x-www-form-urlencoded".parse().unwrap());
            *begin.body_mut() = Body::from(format!("{}&opponent={opponent}", fields.join("&")));
            let begun = ask(&site, begin).await;
            assert_eq!(begun.status, 303, "{fields:?}: {}", begun.body);
            let game = get(&site, &format!("/api{}", begun.header("location"))).await.json();
            assert!(game.to_string().contains("8/8/8/8/3k4/8/8/K2N4"), "{game}");
        }
        let terms = link(form, "More options").unwrap();
        assert!(get(&site, &terms).await.page(200).contains("8/8/8/8/3k4/8/8/K2N4"), "{terms}");
    }
    for fen in ["3k/4/4/K2N", "8/8/8/8/8/8/8/K7", "kk6/8/8/8/8/8/8/K7"] {
        let page = page(&site, &format!("fen={fen}")).await;
        assert!(page.contains("Games need the 8×8 board") && !page.contains("action=\"/games\""), "{fen}");
    }
}

#[tokio::test]
async fn position_can_be_shared_and_cited() {
    let site = solved();
    let shown = page(&site, "fen=8/8/8/8/3k4/8/8/K2N4_w&turns=wb").await;
    let texts: Vec<&str> = shown
        .split("<code class=\"address")
        .skip(1)
        .map(|rest| rest.split_once('>').unwrap().1.split("</code>").next().unwrap())
        .collect();
    let [address, fen, json, sum] = texts[..] else { panic!("{texts:?}") };
    assert!(address.ends_with("/endgames?fen=8/8/8/8/3k4/8/8/K2N4&#38;turns=wb</a>"), "{address}");
    assert_eq!(fen, "8/8/8/8/3k4/8/8/K2N4");
    assert!(sum.len() == 64 && sum.bytes().all(|digit| digit.is_ascii_hexdigit()), "{sum}");
    let json: Value = serde_json::from_str(&json.replace("&#34;", "\"")).unwrap();
    let whole = get(&site, "/api/richman?fen=8/8/8/8/3k4/8/8/K2N4").await.json();
    for member in ["fen", "material", "category", "value", "alpha", "beta", "bid", "zugzwang", "quiescent"] {
        assert_eq!(json[member], whole[member], "{member}");
    }
    assert!(json.get("white").is_none(), "the moves are behind a link");
    let gallery = get(&site, "/endgames").await;
    for page in [&shown, gallery.page(200)] {
        assert!(
            page.contains("href=\"https://doi.org/10.1017/9781108641999.021\"")
                && page.contains("href=\"https://arxiv.org/abs/1703.01624\"")
        );
    }
}

#[tokio::test]
async fn whole_chips_can_reverse_the_verdict_of_shares() {
    let site = solved();
    let verdict = |page: &str| {
        let (_, words) = page.split_once("id=\"verdict\">")?;
        Some(words.split('<').next()?.to_owned())
    };
    let shown = page(&site, "fen=k7/8/8/8/8/8/8/K6R&chips=17:183&bids=black").await;
    let words = verdict(&shown).expect("a covered position");
    assert!(
        words.starts_with("White wins within ")
            && words.ends_with(
                "whatever the opponent does. The winner accepts bids of 6 or more, pays smaller ones and moves."
            ),
        "{words}"
    );
    assert!(shown.contains("name=\"chips\" value=\"17:183\"") && shown.contains("value=\"black\" checked"), "{shown}");
    let bidding = verdict(&page(&site, "fen=k7/8/8/8/8/8/8/K6R&chips=100:100&bids=white").await).unwrap();
    assert!(bidding.contains("bid"), "{bidding}");
    let even = verdict(&page(&site, "fen=8/8/8/8/8/8/8/k6K&chips=5:5&bids=white").await).unwrap();
    assert!(even.contains("draw"), "{even}");
    // A click on a square keeps the chips.
    let pressed = get(&site, "/endgames?fen=k7/8/8/8/8/8/8/K6R&chips=17:183&bids=black&square=h1").await;
    let address = pressed.headers["location"].to_str().unwrap();
    assert!(pressed.status == 303 && address.contains("&chips=17:183&bids=black"), "{address}");
    for (wrong, why) in [("17", "17:183"), ("2000000:1", "2000000"), ("1:\u{a}", "whole numbers")] {
        let chips = percent_encoding::utf8_percent_encode(wrong, percent_encoding::NON_ALPHANUMERIC);
        let answer = get(&site, &format!("/endgames?fen=k7/8/8/8/8/8/8/K6R&chips={chips}&bids=white")).await;
        assert!(answer.status == 400 && answer.body.contains(why) && verdict(&answer.body).is_none(), "{wrong}");
        let pressed = get(&site, &format!("/endgames?fen=k7/8/8/8/8/8/8/K6R&chips={chips}&bids=white&square=h1")).await;
        assert!(pressed.status == 303 && !pressed.headers["location"].to_str().unwrap().contains("chips"), "{wrong}");
    }
}

#[tokio::test]
async fn sealed_bids_and_other_payment_rules_work_by_forms() {
    let site = solved();
    let verdict = |page: &str| {
        let (_, words) = page.split_once("id=\"verdict\">")?;
        Some(words.split('<').next()?.to_owned())
    };
    // The form sends all its fields.
    let query = |chips: &str| {
        format!("fen=3k3R/8/3K4/8/8/8/8/8&chips={chips}&bids=sealed&tie=choice&holder=black&negative=false")
    };
    let sure = page(&site, &query("60:40")).await;
    assert!(verdict(&sure).unwrap().starts_with("White wins within one move"), "{:?}", verdict(&sure));
    assert!(sure.contains("value=\"sealed\" checked") && sure.contains("value=\"choice\" selected"), "{sure}");
    let unsure: Vec<String> = {
        let mut told = Vec::new();
        for white in 0..=20 {
            told.extend(verdict(
                &page(&site, &query(&format!("{white}:{}", 20 - white)).replace("choice", "coin")).await,
            ));
        }
        told
    };
    assert!(
        unsure.len() == 21 && unsure.iter().any(|words| words.contains("depends on the sealed bids")),
        "{unsure:?}"
    );
    let pressed = get(&site, &format!("/endgames?{}&square=h8", query("60:40"))).await;
    let address = pressed.headers["location"].to_str().unwrap().to_owned();
    assert!(address.contains("&chips=60:40&bids=sealed&tie=choice&holder=black&negative=false"), "{address}");
    assert!(page(&site, address.strip_prefix("/endgames?").unwrap()).await.contains("id=\"verdict\""));
    let open =
        page(&site, "fen=3k3R/8/3K4/8/8/8/8/8&chips=60:40&bids=white&tie=choice&holder=black&negative=true").await;
    assert!(verdict(&open).unwrap().starts_with("White wins"), "{open}");

    let told = |page: &str| {
        page.split_once("id=\"enclosed\">").map(|(_, rest)| rest.split("</div>").next().unwrap().to_owned())
    };
    let poor = page(&site, "fen=3k3R/8/3K4/8/8/8/8/8&money=poorman&tau=1/2").await;
    let words = told(&poor).unwrap();
    assert!(words.contains("than 0.666667.") && words.contains("Rxd8#"), "{words}");
    assert!(poor.contains("The share of the money below which Black loses"), "the map shows the threshold");
    let taxed = page(&site, "fen=3k3R/8/3K4/8/8/8/8/8&money=taxman&tau=1/2").await;
    assert!(told(&taxed).unwrap().contains("than 0.714286."));
    let pressed = get(&site, "/endgames?fen=3k3R/8/3K4/8/8/8/8/8&money=taxman&tau=1/2&square=h8").await;
    assert!(pressed.headers["location"].to_str().unwrap().contains("&money=taxman&tau=1/2"));
    for (money, why) in [("taxman&tau=2", "from 0 to 1"), ("gold", "money=richman")] {
        let answer = get(&site, &format!("/endgames?fen=3k3R/8/3K4/8/8/8/8/8&money={money}")).await;
        assert!(answer.status == 400 && answer.body.contains(why) && told(&answer.body).is_none(), "{money}");
    }
    let plain = page(&site, "fen=3k3R/8/3K4/8/8/8/8/8&money=richman&tau=1/2").await;
    assert!(told(&plain).is_none());
}

#[tokio::test]
async fn long_computation_continues_while_the_page_polls() {
    let app = with_tables(patient(), tables::tables());
    tables::tables().solve(Size::ORTHODOX).unwrap();
    let (site, play) = (router(app.clone()), app.play.clone());
    // All threads are busy until the test releases them.
    let (done, wait) = std::sync::mpsc::channel::<()>();
    let wait = Arc::new(std::sync::Mutex::new(wait));
    let threads = std::thread::available_parallelism().map_or(2, |all| all.get().max(2)) as u8;
    let held: Vec<_> = (0..threads)
        .map(|number| {
            let (pools, wait) = (play.pools().clone(), wait.clone());
            let hold = async move { pools.lookups.run(move || wait.lock().unwrap().recv().unwrap()).await };
            tokio::spawn(on_behalf_of(Some(IpAddr::from([192, 0, 2, number])), hold))
        })
        .collect();
    tokio::task::yield_now().await;
    let asked = "/endgames?fen=k7/8/8/8/8/8/8/K6R&chips=17:183&bids=black";
    // Without keeping partial work, a cancelled computation would never finish.
    let growing = {
        let site = site.clone();
        tokio::spawn(async move { get(&site, "/endgames?fen=k7/8/8/8/8/8/8/K6R&n=3").await.status })
    };
    let told = get(&site, asked).await;
    assert!(told.page(202).contains("http-equiv=\"refresh\"") && told.header("cache-control") == "no-store");
    assert!(!told.body.contains("id=\"verdict\""), "{}", told.body);
    for _ in 0..threads {
        done.send(()).unwrap();
    }
    for one in held {
        one.await.unwrap().unwrap();
    }
    assert_eq!(growing.await.unwrap(), 200);
    assert!(page(&site, asked.strip_prefix("/endgames?").unwrap()).await.contains("White wins within"));
}
