//! The endgame page: an editable board, its value, and tools to explore it. Every state has an address: a click on a square submits a form
//! that redirects to the next state.

use super::{
    PAGE_TIMEOUT,
    best_line::{BestLine, Tosses},
    chart_data::Growth,
    chip_query::ChipForm,
    editor::{self, Editor, Tool},
    evaluation::{Assessment, PlayableGame, SharedPosition},
    four_piece::{self, BoundedAnswerView},
    heat_map::{self, Heat, Measure, ValuesBySquare},
    mechanism_query::PaymentForm,
};
use crate::{
    board::{Piece, Square},
    richman::{self, Answer, BoundedAnswer, Question, Table, rules},
    web::{
        App, Error, Kind, PublicOrigin,
        board_view::DrawnPiece,
        endgame_cache::format::path,
        extract::{Pairs, Query, parameter},
        link_preview::Preview,
        page as render,
    },
};
use askama::Template;
use axum::{
    extract::State,
    http::{
        StatusCode,
        header::{CACHE_CONTROL, RETRY_AFTER},
    },
    response::{Html, IntoResponse, Redirect, Response},
};
use std::sync::Arc;

/// The position that opens the page: the zugzwang of the paper's Figure 8.
const FIRST: &str = "8/8/8/8/3k4/8/8/K2N4";
/// Material of the example with α < β.
const GAP_EXAMPLE: &str = "KRBvK";
/// Description of the page in link previews.
const WORDS: &str = "Exact values of chess endgames in which a coin toss or an auction decides who moves. With a board editor, heat maps and a gallery";

#[derive(Template)]
#[template(path = "endgames.html")]
struct EndgamePage {
    editor: Editor,
    assessment: Assessment,
    /// Bounds for a position of four or five pieces.
    four: Option<BoundedAnswerView>,
    heat: Option<Heat>,
    /// Pieces that the heat map can try: the drawing, the address, and whether the piece is selected.
    candidates: Vec<(DrawnPiece, String, bool)>,
    line: BestLine,
    staked: ChipForm,
    growth: Growth,
    paid: PaymentForm,
    plays: Vec<PlayableGame>,
    handed: SharedPosition,
    gallery: Option<String>,
    /// Whether this server can show the example with α < β.
    gap_example: bool,
    preview: Preview,
}

#[derive(Template)]
#[template(path = "endgames_wait.html")]
struct Wait {
    done: String,
}

#[derive(Template)]
#[template(path = "endgames_at_work.html")]
struct AtWork;

#[derive(Template)]
#[template(path = "endgames_slip.html")]
struct FenErrorPage {
    fen: String,
    why: String,
}

/// The parameters of the query other than the position.
struct PageParameters {
    tool: Tool,
    from: Option<Square>,
    wanted: Option<Piece>,
    tosses: Tosses,
    staked: ChipForm,
    growth: Growth,
    paid: PaymentForm,
    four: Option<(Answer, BoundedAnswer)>,
    /// Whether the query asks for exact fractions.
    exactly: bool,
    /// The piece on the heat map, the values found for it with four pieces, and the measure shown then.
    tried: Option<Piece>,
    around: Option<ValuesBySquare>,
    measure: Measure,
    gap_example: bool,
}

/// `GET /endgames`. Without a FEN it shows the first position and the gallery. A `square` (a click) or a `toss` redirects to the address of
/// the next state.
pub async fn page(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    Query(query): Query<Pairs>,
) -> Result<Response, Error> {
    let pairs = app.endgames.tables().four().pairs();
    let constant = query.is_empty().then(|| (base.url("/endgames"), pairs.len()));
    if let Some(page) = constant.as_ref().and_then(|key| app.constant_pages.get(key)) {
        return Ok(page.into_response());
    }
    let given = parameter(&query, "fen")?;
    let question = match richman::read(given.unwrap_or(FIRST)) {
        Ok(question) => question,
        Err(wrong) => {
            let slip = FenErrorPage {
                fen: given.unwrap_or_default().to_owned(),
                why: format!("The FEN cannot be read: {wrong}."),
            };
            return Ok((StatusCode::BAD_REQUEST, render(&slip)?).into_response());
        }
    };
    let board = rules(question.size);
    let tool = Tool::read(board, parameter(&query, "tool")?.unwrap_or_default())?;
    let square = |name: &str| match parameter(&query, name)?.filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => {
            let square = text.parse::<Square>().ok().filter(|square| question.size.squares().has(*square));
            let wrong = || {
                Error::malformed(format!("“{text}” is not a square of this board. Write a square such as a1."))
                    .field(name)
            };
            square.map(Some).ok_or_else(wrong)
        }
    };
    let (from, pressed) = (square("from")?, square("square")?);
    let wanted = parameter(&query, "heat")?.filter(|text| !text.is_empty());
    let wanted = match wanted {
        None => None,
        Some(text) => Some(editor::piece(board, text).ok_or_else(|| {
            Error::malformed(format!("“{text}” is not a piece. Write a FEN letter, such as N for a white knight."))
                .field("heat")
        })?),
    };

    let (tosses, tossed) = Tosses::read(&query)?;
    let (staked, paid) = (ChipForm::read(&query)?, PaymentForm::read(&query)?);
    if pressed.is_some() || tossed {
        let same = (question.position, from);
        let (next, up) = pressed.map_or(same, |pressed| editor::press(board, &question.position, tool, from, pressed));
        let kept = [
            ("tool", if tool == Tool::Move { String::new() } else { tool.text(board) }),
            ("from", up.map_or(String::new(), |up| up.to_string())),
            ("heat", wanted.map_or(String::new(), |piece| editor::letter(board, piece).to_string())),
            ("turns", tosses.kept().to_owned()),
            ("chips", staked.kept().to_owned()),
        ];
        let kept: Vec<(&str, &str)> =
            kept.iter().map(|(name, value)| (*name, value.as_str())).chain(staked.rules()).chain(paid.kept()).collect();
        return Ok(Redirect::to(&path(&board.placement_fen(&next), &kept)).into_response());
    }

    let table = match question.without_table() {
        Some(_) if !richman::covers(question.size) => None,
        Some(_) | None => match app.endgames.table(question.size).await {
            Ok(table) => Some(table),
            Err(error) if matches!(error.kind(), Kind::Busy { .. }) => return wait(&app),
            Err(error) => return Err(error),
        },
    };
    let gallery = match given {
        None => Some(app.endgames.gallery().await?),
        Some(_) => None,
    };
    let (exactly, measure) = (four_piece::wants_fractions(&query)?, Measure::measure_parameter(&query)?);
    let tried = wanted.or_else(|| extra(&question));
    let growth = Growth::asked(&app, &query, &question).await?;
    let judged = async {
        let staked = staked.with_verdict(&app, &question).await?;
        let paid = paid.with_bounds(&app, &question).await?;
        let four = four_piece::find_bounds(&app, &question, exactly, PAGE_TIMEOUT).await?;
        let around = match tried.filter(|_| four.is_some()) {
            Some(piece) => heat_map::values_of_four(&app, &question, piece).await?.map(|(around, _)| around),
            None => None,
        };
        Ok::<_, Error>((staked, paid, four, around))
    };
    let (staked, paid, four, around) = match judged.await {
        Ok(judged) => judged,
        Err(error) if matches!(error.kind(), Kind::Busy { .. }) => return at_work(),
        Err(error) => return Err(error),
    };
    let faults = [&tosses.wrong, &staked.wrong, &growth.wrong, &paid.wrong];
    let status = if faults.iter().all(|fault| fault.is_none()) { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    let gap_example = pairs.iter().any(|pair| pair.to_string() == GAP_EXAMPLE);
    let ask = PageParameters {
        tool,
        from,
        wanted,
        tosses,
        staked,
        growth,
        paid,
        four,
        exactly,
        tried,
        around,
        measure,
        gap_example,
    };
    let work = move || {
        let page = EndgamePage::new(&question, table.as_deref(), ask, &base, gallery)?;
        page.render().map_err(Error::broken)
    };
    let page = app.play.pools().lookups.run(work).await??;
    Ok(match constant {
        Some(key) => app.constant_pages.insert(key, page).into_response(),
        None => (status, Html(page)).into_response(),
    })
}

/// The page shown while the tables are computed. It reloads itself.
pub(super) fn wait(app: &App) -> Result<Response, Error> {
    let done = format!("{:.0}", app.endgames.tables().progress() * 100.0);
    let retry = [(RETRY_AFTER, "1"), (CACHE_CONTROL, "no-store")];
    Ok((StatusCode::SERVICE_UNAVAILABLE, retry, render(&Wait { done })?).into_response())
}

/// The page shown while a computation continues in the background. It reloads itself.
pub(super) fn at_work() -> Result<Response, Error> {
    Ok((StatusCode::ACCEPTED, [(CACHE_CONTROL, "no-store")], render(&AtWork)?).into_response())
}

impl EndgamePage {
    fn new(
        question: &Question,
        table: Option<&Table>,
        ask: PageParameters,
        base: &PublicOrigin,
        gallery: Option<String>,
    ) -> Result<EndgamePage, Error> {
        let PageParameters {
            tool,
            from,
            wanted,
            tosses,
            staked,
            growth,
            paid,
            four,
            exactly,
            tried,
            around,
            measure,
            gap_example,
        } = ask;
        let board = rules(question.size);
        let fen = board.placement_fen(&question.position);
        let unit = |piece: Piece| DrawnPiece { color: piece.color, name: board.kind(piece.kind).name.clone() };
        let heat = tried.zip(table).and_then(|(piece, table)| match &around {
            Some(around) => heat_map::map_of_four(around, question, piece, measure),
            None => heat_map::map(table, question, piece, &paid).filter(|_| !question.is_of_four()),
        });
        let mapped = table.is_some() && (four.is_some() || !question.is_of_four());
        let candidates = if mapped { heat_map::candidates(question) } else { Vec::new() };
        let of = if four.is_some() { measure.name() } else { "" };
        let candidates = candidates.into_iter().map(|piece| {
            let letter = editor::letter(board, piece).to_string();
            let kept = [("heat", letter.as_str()), ("of", of), ("turns", tosses.kept())];
            let kept: Vec<(&str, &str)> = kept.into_iter().chain(paid.kept()).collect();
            (unit(piece), path(&fen, &kept), Some(piece) == tried)
        });
        let candidates = candidates.collect();
        let bounded = four.as_ref().map(|known| BoundedAnswerView::new(question, known, exactly));
        let of_four = four.map(|(answer, _)| answer);
        let answer = of_four.or_else(|| question.without_table()).or_else(|| table.map(|table| question.answer(table)));
        // Only an answer that needs a table can be missing, and in that case the table is loaded.
        let answer = answer.unwrap_or_else(|| question.unknown("This server has no table for this board"));
        let handed = SharedPosition::new(question.size, &answer, tosses.kept(), base)?;
        // Bounds have their own section of the page.
        let answer = if bounded.is_some() { Answer { value: None, ..answer } } else { answer };
        let address = if gallery.is_some() { "/endgames".to_owned() } else { path(&fen, &[]) };
        let editor = Editor::new(question, &answer, tool, from, wanted);
        let assessment = Assessment::new(question, answer);
        let title = format!("Endgames at auction: {}", assessment.material);
        Ok(EndgamePage {
            preview: Preview::of_position(base, &address, "/diagram.png", &fen, &title, WORDS),
            editor,
            handed,
            assessment,
            four: bounded,
            heat,
            candidates,
            line: BestLine::new(question, table, tosses),
            staked,
            growth,
            paid,
            plays: PlayableGame::all(question),
            gallery,
            gap_example,
        })
    }
}

/// The default piece of the heat map: the first one on the board that is not a king.
fn extra(question: &Question) -> Option<Piece> {
    heat_map::candidates(question).into_iter().find(|piece| is_on_board(question, *piece) && !is_king(*piece))
}

fn is_king(piece: Piece) -> bool {
    piece.kind == crate::board::orthodox::KING
}

fn is_on_board(question: &Question, piece: Piece) -> bool {
    !question.position.of_kind(piece.color, piece.kind).is_empty()
}
