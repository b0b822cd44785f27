//! Rules pages: their structure, examples in plain words, boards in the text, and printable papers.

use super::{
    examples::{attribute, examples},
    get, site,
};
use zorkmid::{
    registry::VARIANTS,
    web::{board_view::Mark, game::BoardFigure, variant_pages},
};

/// Text from the first mark to the second.
fn between<'t>(text: &'t str, begin: &str, end: &str) -> Option<&'t str> {
    text.split_once(begin)?.1.split_once(end).map(|(inner, _)| inner)
}

/// Table of contents and headings of a page, each with id and text.
fn contents(page: &str) -> [Vec<(String, String)>; 2] {
    let list = between(page, "<nav class=\"contents\"", "</nav>").unwrap_or_default();
    let entry = |tag: &str, end: &str| {
        let (attributes, words) = tag.split_once('>').unwrap();
        let id = attribute(attributes, if end == "</a>" { "href" } else { "id" }).unwrap_or_default();
        (id.trim_start_matches('#').to_owned(), words.split(end).next().unwrap().to_owned())
    };
    let listed = list.split("<a ").skip(1).map(|tag| entry(tag, "</a>")).collect();
    [listed, page.split("<h2").skip(1).map(|tag| entry(tag, "</h2>")).collect()]
}

/// Addresses of a variant's rules and, if they have a separate page, its notation and details.
fn addresses(key: &str) -> Vec<String> {
    let rules = format!("/rules/{key}");
    let notation = variant_pages::rulebook(key).unwrap().notation.map(|_| format!("{rules}/notation"));
    [Some(rules), notation].into_iter().flatten().collect()
}

/// Number of words in a page's text, without tags.
fn words(page: &str) -> usize {
    let text: Vec<&str> = page.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
    text.join(" ").split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
}

#[tokio::test]
async fn rules_page_opens_with_a_short_version_and_one_board() {
    let site = site();
    for variant in VARIANTS {
        let [rules, rest @ ..] = &addresses(variant.key)[..] else { unreachable!("a variant has rules") };
        let page = get(&site, rules).await;
        let page = page.page(200);
        let short = between(page, "<section class=\"short\"", "</section>").unwrap_or_default();
        let before = page.split("<section class=\"short\"").next().unwrap();
        assert!(!before.contains("<h2"), "{rules}: the short version comes first");
        assert_eq!(short.matches("<figure class=\"plate\">").count(), 1, "{rules}");
        let text = between(short, ">", "<figure").unwrap();
        assert!((20..=150).contains(&words(text)), "{rules}: {} words", words(text));
        for path in rest {
            assert!(page.contains(&format!("href=\"{path}\"")), "{rules} does not link {path}");
            let notation = get(&site, path).await;
            assert!(notation.page(200).contains(&format!("href=\"{rules}\"")), "{path} does not lead back");
        }
    }
}

#[tokio::test]
async fn table_of_contents_links_to_every_heading() {
    let site = site();
    for path in VARIANTS.iter().flat_map(|variant| addresses(variant.key)) {
        let page = get(&site, &path).await;
        let [listed, there] = contents(page.page(200));
        assert!(listed.len() > 1 && listed == there, "{path}: {listed:?} and {there:?}");
        assert!(there.iter().all(|(id, _)| !id.is_empty()), "{path}: {there:?}");
        for (id, _) in &listed {
            let holders = page.body.matches(&format!(" id=\"{id}\"")).count();
            assert_eq!(holders, 1, "{path} has {holders} elements with the id {id}");
        }
    }
}

/// Number of external links after a text of a page.
fn sources(page: &str, from: &str) -> usize {
    page.split_once(from).map_or(0, |(_, rest)| rest.matches("<a href=\"http").count())
}

#[tokio::test]
async fn rules_page_shows_boards_examples_source_and_papers() {
    let site = site();
    for variant in VARIANTS {
        let address = format!("/rules/{}", variant.key);
        let page = get(&site, &address).await;
        let page = page.page(200);
        let plates: Vec<&str> = page.split("<figure class=\"plate\">").skip(1).collect();
        assert!(!plates.is_empty(), "{} has no board", variant.key);
        for plate in plates {
            let plate = plate.split("</figure>").next().unwrap();
            assert!(plate.contains("data-piece=") && !plate.contains("<button"), "{}: {plate}", variant.key);
            let caption = between(plate, "<figcaption>", "</figcaption>").unwrap();
            assert!(caption.len() > 20, "{}: {caption}", variant.key);
        }
        assert!(!examples(page).is_empty(), "{} has no example", variant.key);
        assert!(sources(page, "<h2 id=\"source\">") > 0, "{} does not link to its source", variant.key);
        let papers = variant_pages::rulebook(variant.key).unwrap().papers;
        assert_eq!(papers[0].key, "summary", "{}", variant.key);
        for paper in papers {
            let path = format!("{address}/{}", paper.key);
            assert!(page.contains(&format!("href=\"{path}\"")), "{path} is not linked");
            let paper = get(&site, &path).await;
            let paper = paper.page(200);
            assert!(paper.contains(&format!("href=\"{address}\"")), "{path} does not lead back");
            assert!(!paper.contains("<form"), "{path} has a form");
        }
        let summary = get(&site, &format!("{address}/summary")).await;
        assert!(
            summary.page(200).contains("<figure class=\"plate\">"),
            "{} has a summary without a board",
            variant.key
        );
        assert!(sources(&summary.body, "class=\"from\"") > 0, "{} has a summary without its source", variant.key);
    }
}

#[tokio::test]
async fn unknown_paper_is_not_found() {
    let site = site();
    let answer = get(&site, "/rules/clairvoyant/pawns").await;
    assert!(answer.page(404).contains("/rules/clairvoyant/notation, /rules/clairvoyant/summary, "));
    get(&site, "/rules/toy/summary").await.page(404);
    get(&site, "/rules/summary").await.page(404);
}

/// Squares and numbers of a line's commands that its words do not mention.
fn untold(line: &str) -> Vec<String> {
    let mut words = String::new();
    let mut wanted = Vec::new();
    for (index, part) in line.split("<code data-say").enumerate() {
        let after = part.split_once("</code>").filter(|_| index > 0);
        words.push_str(after.map_or(part, |(_, after)| after));
        let Some((command, _)) = after else { continue };
        let command = command.split_once('>').unwrap().1;
        for word in command.split([' ', '@', '#']) {
            let pairs = word.as_bytes().chunks(2).take_while(
                |pair| matches!(pair, [file, rank] if (b'a'..=b'h').contains(file) && (b'1'..=b'8').contains(rank)),
            );
            wanted.extend(pairs.map(|pair| String::from_utf8_lossy(pair).into_owned()));
        }
        let number = command.strip_prefix("bid ").or_else(|| command.strip_prefix("estimate "));
        wanted.extend(number.map(|number| number.trim_start_matches('-').to_owned()));
    }
    let tags = words.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    let words: String = tags.collect::<Vec<_>>().concat();
    let told: Vec<&str> = words.split(|letter: char| !letter.is_alphanumeric() && letter != '.').collect();
    let told: Vec<&str> = told.iter().map(|word| word.trim_end_matches('.')).collect();
    wanted.retain(|thing| !told.contains(&thing.as_str()));
    wanted
}

#[tokio::test]
async fn examples_are_complete_without_commands() {
    let site = site();
    let mut lines = 0;
    for variant in VARIANTS {
        let mut forms = Vec::new();
        for path in addresses(variant.key) {
            let page = get(&site, &path).await;
            forms.extend(examples(page.page(200)).into_iter().map(|(_, form)| form.to_owned()));
        }
        for form in forms {
            for line in form.split(" class=\"line\">").skip(1) {
                let line = line.split("</li>").next().and_then(|line| line.split("</p>").next()).unwrap();
                assert_eq!(untold(line), Vec::<String>::new(), "{}: {line}", variant.key);
                lines += 1;
            }
        }
    }
    assert!(lines > 50, "only {lines} lines");
    assert_eq!(
        untold("<code data-say=\"one\">e2e4</code>, then <code data-say=\"two\">bid -5</code>"),
        ["e2", "e4", "5"]
    );
    assert_eq!(untold("From e2 <code data-say=\"one\">e2e4</code> to e4."), Vec::<String>::new());
}

#[test]
fn board_in_the_text_matches_a_game() {
    let sheet = BoardFigure::of("clairvoyant").seen("two").draft("guess e2e4 e2 g1f3").drawn().unwrap();
    let said: Vec<String> = sheet.pointers().into_iter().map(|pointer| pointer.said).collect();
    assert_eq!(said, ["5", "4", "11"]);
    let mut priced =
        BoardFigure::of("clairvoyant").with("money_one", 14).seen("one").draft("b1c3").hand("c3").drawn().unwrap();
    let mut tag = |square: &str| {
        let tag = priced.cell(square.parse().unwrap()).unwrap().tag.unwrap();
        (tag.amount, tag.dear)
    };
    assert_eq!([tag("e4"), tag("b5")], [(7, false), (7, false)]);
    let mut hill = BoardFigure::of("king-of-the-hill").pointed("d4").drawn().unwrap();
    assert_eq!(hill.cell("d4".parse().unwrap()).unwrap().marks, [Mark::Pointed]);
}

#[test]
fn rejects_faulty_boards_in_rules_pages() {
    for plate in [
        BoardFigure::of("checkers"),
        BoardFigure::of("chess").with("fen", "nonsense"),
        BoardFigure::of("chess").with("men", 16),
        BoardFigure::of("chess").said("one e2e5"),
        BoardFigure::of("chess").said("three e2e4"),
        BoardFigure::of("chess").seen("three"),
        BoardFigure::of("chess").seen("one").draft("e2"),
        BoardFigure::of("chess").seen("one").hand("e5"),
        BoardFigure::of("chess").seen("two").hand("e7"),
        BoardFigure::of("chess").about("e5"),
        BoardFigure::of("chess").pointed("e9"),
    ] {
        assert!(plate.drawn().is_err(), "{plate:?}");
    }
}
