//! The page of a player's conditional moves in a correspondence game. Lines are entered on the board or typed. Only their owner sees them.

use super::{
    Viewpoint,
    selection::{HandPiece, Selection, hand, press},
    viewpoint::PageViewer,
};
use crate::{
    game::{LabelledAction, Live},
    play::{self, ConditionalMoves, GameSnapshot, MOST_CONDITIONAL_MOVES},
    rules::{Actor, Choice, Refusal, Seat, Side, Turn},
    web::{
        App, Error,
        board_view::Figure,
        client_address::PublicOrigin,
        cookies::Seats,
        error::sentence,
        extract::{Form, Pairs, Path, parameter},
        frame::Frame,
        page as render, private, silhouette,
    },
};
use askama::Template;
use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use std::sync::Arc;

/// Maximum length of the typed lines in bytes.
const LONGEST: usize = 4_096;

/// The board at the end of the line that is being entered, and the fields for its next move.
struct LineBoard {
    figure: Figure,
    /// Alternative actions for the same target square.
    branches: Vec<Choice>,
    /// Pieces from outside the board.
    hand: Vec<HandPiece>,
    /// Selected piece.
    from: String,
    /// Whether the next move is the player's own.
    own: bool,
    /// Whether the line has ended the game.
    over: bool,
}

#[derive(Template)]
#[template(path = "conditional.html")]
struct ConditionalPage {
    game: String,
    title: &'static str,
    ply: usize,
    /// The line that is being entered.
    line: Vec<LabelledAction>,
    /// Actions of that line, separated by commas.
    actions: String,
    /// Whether lines can be stored now.
    possible: bool,
    /// The board; `None` if a move has several parts, which are typed.
    board: Option<LineBoard>,
    /// All lines, as typed.
    text: String,
    /// Number of stored lines.
    stored: usize,
    wrong: Option<String>,
}

/// Formats a line as a player types it: separated by spaces, or by commas if a move contains a space.
fn typed(line: &[LabelledAction]) -> String {
    let plain = line.iter().all(|said| !said.label.contains([' ', ',']));
    let parts: Vec<&str> =
        line.iter().map(|said| if plain { said.label.as_str() } else { said.action.as_str() }).collect();
    parts.join(if plain { " " } else { ", " })
}

/// Reads typed lines, one per row. Skips move numbers.
fn read(text: &str) -> Vec<Vec<String>> {
    let number = |part: &str| part.trim_start_matches(|letter: char| letter.is_ascii_digit()).starts_with('.');
    let rest = |part: &str| match number(part) {
        true => {
            part.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start_matches('.').trim().to_owned()
        }
        false => part.trim().to_owned(),
    };
    let rows = text.lines().map(|row| match row.contains(',') {
        true => row.split(',').map(rest).filter(|part| !part.is_empty()).collect(),
        false => row.split_whitespace().map(rest).filter(|part| !part.is_empty()).collect(),
    });
    rows.filter(|row: &Vec<String>| !row.is_empty()).collect()
}

/// Plays a line from the current position, the opponent's move first.
fn played(table: &GameSnapshot, seat: Seat, actions: &[&str]) -> Result<(Box<Live>, Vec<LabelledAction>), Refusal> {
    if actions.len() > MOST_CONDITIONAL_MOVES {
        return Err(Refusal::new(format!("a line may have at most {MOST_CONDITIONAL_MOVES} half-moves")));
    }
    let mut game = table.game.copy();
    let mut line = Vec::with_capacity(actions.len());
    for (number, text) in actions.iter().enumerate() {
        let mover = if number % 2 == 0 { !seat } else { seat };
        let action = game.act(Actor::Seat(mover), text, game.last_line_time().unwrap_or_default())?.text;
        let label = game.diagram(Some(seat)).sheet.last().map_or_else(|| action.clone(), |entry| entry.text.clone());
        line.push(LabelledAction { action, label });
    }
    Ok((game, line))
}

impl LineBoard {
    fn new(game: &Live, seat: Seat, from: &str, look: &Viewpoint) -> LineBoard {
        let mover = match game.turn() {
            Turn::One(mover) => Some(mover),
            Turn::Both | Turn::Chance | Turn::Over(_) => None,
        };
        let mut frame = Frame::of(game, mover.or(Some(seat)), String::new());
        silhouette::choose(&mut frame.diagram.designs, &look.sketch.icons);
        let choices = frame.diagram.choices.clone().unwrap_or_default();
        let dear = std::mem::take(&mut frame.diagram.dear);
        let pick = Selection::read(from, &choices, &dear);
        let mut figure = Figure::of_diagram(&frame.diagram);
        let branches = press(&mut figure, &frame, &choices, &dear, pick.as_ref());
        let black = frame.diagram.colors.as_ref().is_some_and(|colors| *colors.of(seat) == Side::Black);
        if black != look.flip {
            figure.flip();
        }
        LineBoard {
            figure,
            branches,
            hand: hand(&frame, &choices, &dear),
            from: from.to_owned(),
            own: mover == Some(seat),
            over: mover.is_none(),
        }
    }
}

impl ConditionalPage {
    fn of(
        table: &GameSnapshot,
        seat: Seat,
        look: &Viewpoint,
        actions: &str,
        from: &str,
    ) -> Result<ConditionalPage, Refusal> {
        table.may_have_conditional_moves(seat)?;
        let actions: Vec<&str> = actions.split(',').map(str::trim).filter(|action| !action.is_empty()).collect();
        let (game, line) = played(table, seat, &actions)?;
        let mover = game.awaits().first().copied().unwrap_or(seat);
        let board = game.draft(mover, "").is_none().then(|| LineBoard::new(&game, seat, from, look));
        let actions = line.iter().map(|said| said.action.as_str()).collect::<Vec<_>>().join(",");
        Ok(ConditionalPage { possible: true, board, actions, line, ..ConditionalPage::without_board(table) })
    }

    fn without_board(table: &GameSnapshot) -> ConditionalPage {
        ConditionalPage {
            game: format!("/games/{}", table.id()),
            title: table.game.title(),
            ply: table.game.ply(),
            line: Vec::new(),
            actions: String::new(),
            possible: false,
            board: None,
            text: String::new(),
            stored: 0,
            wrong: None,
        }
    }

    /// Puts the entered line among the typed ones, once it ends with a reply. It replaces the line that it continues.
    fn with_line(mut self, text: &str) -> ConditionalPage {
        let mut rows: Vec<String> =
            text.lines().map(|row| row.trim().to_owned()).filter(|row| !row.is_empty()).collect();
        if !self.line.is_empty() && self.line.len().is_multiple_of(2) {
            let (row, shorter) = (typed(&self.line), typed(&self.line[..self.line.len() - 2]));
            match rows.iter_mut().find(|old| **old == shorter || **old == row) {
                Some(old) => *old = row,
                None => rows.push(row),
            }
        }
        self.text = rows.join("\n");
        self
    }
}

/// The seat whose lines the browser may see.
fn own_seat(look: &Viewpoint) -> Result<Seat, Error> {
    match look.held[..] {
        [(seat, _)] => Ok(seat),
        _ => Err(Error::refused("Only a player of the game has conditional moves. Open your private seat link first.")),
    }
}

fn lines(moves: &ConditionalMoves) -> String {
    moves.lines.iter().map(|line| typed(line)).collect::<Vec<_>>().join("\n")
}

/// `GET /games/{id}/conditional`: the stored lines, and a board to enter others.
pub async fn page(State(app): State<Arc<App>>, PageViewer { table, look, .. }: PageViewer) -> Result<Response, Error> {
    let seat = own_seat(&look)?;
    let moves = app.play.conditional_moves(&table, seat).await?;
    let work = move || {
        let page = match ConditionalPage::of(&table, seat, &look, "", "") {
            Ok(page) => page,
            Err(refusal) => {
                ConditionalPage { wrong: Some(sentence(refusal.to_string())), ..ConditionalPage::without_board(&table) }
            }
        };
        render(&ConditionalPage { text: lines(&moves), stored: moves.lines.len(), ..page })
    };
    Ok(private(app.play.pools().games.run(work).await??.into_response()))
}

/// `POST /games/{id}/conditional`: stores or deletes the lines, or shows the board after another press.
pub async fn change(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    seats: Seats,
    Path(id): Path<String>,
    Form(fields): Form<Pairs>,
) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let look = Viewpoint::of(&table, &seats, base, &Default::default());
    let seat = own_seat(&look)?;
    let field = |name| Ok::<_, Error>(parameter(&fields, name)?.unwrap_or_default().to_owned());
    let (text, deed, from, action) = (field("lines")?, field("do")?, field("from")?, field("action")?);
    let mut entered = field("line")?;
    if text.len() > LONGEST || entered.len() > LONGEST {
        return Err(Error::refused(format!("The lines are too long: they may have at most {LONGEST} characters."))
            .field("lines"));
    }
    let ply = field("ply")?;
    let ply: usize = ply
        .parse()
        .map_err(|_| Error::malformed(format!("The ply must be a whole number, not “{ply:.40}”.")).field("ply"))?;
    let there = || Redirect::to(&format!("/games/{id}/conditional#stored")).into_response();
    let (mut wrong, mut status) = (None, StatusCode::OK);
    match deed.as_str() {
        "save" => match app.play.set_conditional_moves(&table, seat, ply, read(&text)).await {
            Ok(_) => return Ok(private(there())),
            Err(play::Error::Refused(refusal)) => {
                (wrong, status) = (Some(sentence(refusal.to_string())), StatusCode::UNPROCESSABLE_ENTITY);
            }
            Err(play::Error::Stale { .. }) => {}
            Err(other) => return Err(other.into()),
        },
        "clear" => {
            app.play.clear_conditional_moves(&table, seat).await?;
            return Ok(private(there()));
        }
        "new" => entered.clear(),
        "back" => entered.truncate(entered.rfind(',').unwrap_or_default()),
        _ if !action.is_empty() => entered = format!("{entered},{action}"),
        _ => {}
    }
    let table = app.play.look(&id).await?;
    if ply != table.game.ply() {
        let why = "The game has moved on. Nothing was saved. Check your lines against the current position.";
        (wrong, status) = (Some(why.to_owned()), StatusCode::CONFLICT);
        entered.clear();
    }
    let stored = app.play.conditional_moves(&table, seat).await?.lines.len();
    let work = move || {
        let (page, refused) = match ConditionalPage::of(&table, seat, &look, &entered, &from) {
            Ok(page) => (page, None),
            Err(refusal) => (ConditionalPage::without_board(&table), Some(sentence(refusal.to_string()))),
        };
        let status =
            if refused.is_some() && status == StatusCode::OK { StatusCode::UNPROCESSABLE_ENTITY } else { status };
        let page = ConditionalPage { stored, wrong: wrong.or(refused), ..page.with_line(&text) };
        Ok::<_, Error>((status, render(&page)?).into_response())
    };
    Ok(private(app.play.pools().games.run(work).await??))
}
