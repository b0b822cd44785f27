//! Every address of the site and what answers it, and the layers around.

use super::{
    App, Error, Kind, about, api, assets, betza, bookie, compression, crawlers, devices, docs, dress, endgames, fairy,
    game, headers, health, home, images, installed, invite, limit, live, lobby, log, metering, new, notices, openapi,
    post as mail, puzzles, record, renew, rules, session, share, talk, theme, worth,
};
use axum::{
    Router,
    http::{HeaderName, Method, StatusCode, header},
    middleware::{from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::{any, get, post},
};
use std::{any::Any, sync::Arc, time::Duration};
use tower::{ServiceBuilder, layer::layer_fn};
use tower_http::{
    catch_panic::CatchPanicLayer,
    cors::{Any as AnyOrigin, CorsLayer},
    csrf::CsrfLayer,
    timeout::TimeoutLayer,
};
use utoipa_axum::{router::OpenApiRouter, routes};

/// The whole site.
pub fn router(app: Arc<App>) -> Router {
    let (api, description) = OpenApiRouter::with_openapi(openapi::openapi())
        .routes(routes!(bookie::api::fresh)) // GET /api/bookie
        .routes(routes!(bookie::api::position)) // GET /api/bookie/{code}
        .routes(routes!(betza::api::piece)) // GET /api/betza
        .routes(routes!(betza::pieces::api::pieces)) // GET /api/pieces
        .routes(routes!(fairy::api::write, fairy::api::read)) // GET, POST /api/fairy
        .routes(routes!(worth::api::worth, worth::api::measure)) // GET, POST /api/worth
        .routes(routes!(api::variants::variants)) // GET /api/variants
        .routes(routes!(api::lobby::games, api::begin::begin)) // GET, POST /api/games
        .routes(routes!(api::begin::sit)) // POST /api/seats
        .routes(routes!(api::seek::seek)) // POST /api/lobby
        .routes(routes!(api::stream::lobby)) // GET /api/lobby/events
        .routes(routes!(api::keys::make)) // POST /api/keys
        .routes(routes!(api::keys::own)) // GET /api/keys/own
        .routes(routes!(api::keys::renew)) // POST /api/keys/renew
        .routes(routes!(mail::api::list, mail::api::begin)) // GET, POST /api/keys/notices
        .routes(routes!(mail::api::end)) // POST /api/keys/notices/{id}/end
        .routes(routes!(api::stream::games)) // GET /api/stream
        .routes(routes!(api::bots::list, api::bots::register)) // GET, POST /api/bots
        .routes(routes!(api::game::look)) // GET /api/games/{id}
        .routes(routes!(api::game::act)) // POST /api/games/{id}/actions
        .routes(routes!(api::review::review)) // GET /api/games/{id}/review
        .routes(routes!(api::review::hint)) // GET /api/games/{id}/hint
        .routes(routes!(api::renew::invitation)) // POST /api/games/{id}/invite
        .routes(routes!(api::renew::seat)) // POST /api/games/{id}/seat
        .routes(routes!(api::keys::hand_over)) // POST /api/games/{id}/key
        .routes(routes!(api::events::events)) // GET /api/games/{id}/events
        .routes(routes!(record::pgn)) // GET /api/games/{id}/record.pgn
        .routes(routes!(record::json)) // GET /api/games/{id}/record.json
        .routes(routes!(endgames::api::value, endgames::api::values)) // GET, POST /api/richman
        .routes(routes!(endgames::files::file)) // GET /api/richman/files/{name}
        .routes(routes!(endgames::statistics::statistics)) // GET /api/richman/statistics/{name}
        .routes(routes!(endgames::charts::charts)) // GET /api/richman/charts/{name}
        .routes(routes!(endgames::heat::numbers::heat)) // GET /api/richman/heat
        .routes(routes!(endgames::search::search)) // GET /api/richman/search
        .routes(routes!(endgames::api::status)) // GET /api/richman/status
        .routes(routes!(endgames::pairs::tables)) // GET /api/richman/four
        .routes(routes!(endgames::sought::search)) // GET /api/richman/four/{material}
        .routes(routes!(puzzles::api::daily)) // GET /api/puzzle/daily
        .routes(routes!(puzzles::api::next)) // GET /api/puzzle/next
        .routes(routes!(puzzles::api::puzzle, puzzles::api::answer)) // GET, POST /api/puzzle/{kind}/{number}
        .routes(routes!(endgames::api::mainline)) // GET /api/richman/mainline
        .split_for_parts();
    let description = openapi::description(description);
    let api = api.route("/api/openapi.json", get(async move || description)).route("/api/{*rest}", any(nothing));

    let pages = Router::new()
        .route("/", get(home::page))
        .route("/lobby", get(lobby::page).post(lobby::find))
        .route("/lobby/games", get(lobby::lists))
        .route("/about", get(about::page))
        .route("/theme", get(theme::form).post(theme::choose))
        .route("/docs", get(docs::page))
        .route("/endgames", get(endgames::page))
        .route("/endgames/statistics", get(endgames::statistics::page))
        .route("/endgames/paper", get(endgames::paper::page))
        .route("/endgames/four", get(endgames::pairs::page))
        .route("/endgames/four/search", get(endgames::sought::page))
        .route("/endgames/smallest", get(endgames::smallest::page))
        .route("/endgames/smallest/{name}", get(endgames::smallest::classes))
        .route("/endgames/search", get(endgames::search::page))
        .route("/puzzles", get(puzzles::list))
        .route("/puzzles/{kind}", get(puzzles::fresh))
        .route("/puzzles/{kind}/{number}", get(puzzles::show).post(puzzles::answer))
        .route("/rules", get(rules::list))
        .route("/rules/bookie", get(bookie::rules))
        .route("/rules/{variant}", get(rules::page))
        .route("/rules/{variant}/image.png", get(images::rules_png))
        .route("/rules/{variant}/{paper}", get(rules::paper))
        .route("/bookie", get(bookie::fresh))
        .route("/bookie/{code}", get(bookie::hidden))
        .route("/bookie/{code}/reveal", get(bookie::revealed))
        .route("/bookie/{code}/qr.svg", get(bookie::square))
        .route("/betza", get(betza::page))
        .route("/betza.svg", get(betza::drawn::svg))
        .route("/betza.png", get(betza::drawn::png))
        .route("/betza/embed", get(betza::drawn::embed))
        .route("/betza/play", post(betza::playtest::play))
        .route("/betza/saved", post(betza::save))
        .route("/betza/set", get(betza::collection::set))
        .route("/betza/set.txt", get(betza::collection::set_file))
        .route("/betza/set/play", post(betza::collection::play_set))
        .route("/betza/army", get(betza::collection::army))
        .route("/betza/army/play", post(betza::collection::play))
        .route("/betza/army.txt", get(betza::collection::army_file))
        .route("/pieces", get(betza::pieces::page))
        .route("/fairy", get(fairy::page).post(fairy::bring))
        .route("/variants.ini", get(fairy::file))
        .route("/worth", get(worth::page).post(worth::begin))
        .route("/new/{variant}", get(new::form))
        .route("/games", get(new::choose).post(new::begin))
        .route("/games/{id}", get(game::show).post(game::act))
        .route("/games/{id}/join", post(invite::join))
        .route("/games/{id}/invite", post(renew::invitation))
        .route("/games/{id}/link", post(renew::link))
        .route("/games/{id}/rematch", post(game::rematch))
        .route("/games/{id}/again", post(lobby::again))
        .route("/games/{id}/session", get(session::page))
        .route("/games/{id}/say", post(talk::say))
        .route("/games/{id}/ply/{n}", get(game::past))
        .route("/games/{id}/moments", get(game::moments))
        .route("/games/{id}/fen.svg", get(game::fen))
        .route("/games/{id}/events", get(live::events))
        .route("/games/{id}/image.svg", get(images::game_svg))
        .route("/games/{id}/image.png", get(images::game_png))
        .route("/games/{id}/embed", get(share::embed))
        .route("/diagram.svg", get(images::diagram_svg))
        .route("/diagram.png", get(images::diagram_png))
        .route("/diagram/bookie.png", get(images::bookie_png))
        .route("/diagram/bookie-revealed.png", get(images::revealed_png))
        .route("/oembed", get(share::oembed))
        .route("/games/{id}/record.pgn", get(record::pgn))
        .route("/games/{id}/record.json", get(record::json))
        .route("/seat", get(invite::form).post(invite::look_up))
        .route("/seat/{token}", get(invite::seat))
        .route("/key", get(devices::page).post(devices::make))
        .route("/key/forget", post(devices::forget))
        .route("/key/renew", post(devices::renew))
        .route("/key/notices", post(notices::begin))
        .route("/key/notices/{id}/end", post(notices::end))
        .route("/key/push", get(notices::signer))
        .route("/key/push/end", post(notices::end_push))
        .route("/feeds/{secret}", get(mail::feed::page))
        .route("/told.js", get(notices::worker))
        .route("/key/{key}", get(devices::given).post(devices::take))
        .route("/invite/{code}", get(invite::page).post(invite::claim))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/robots.txt", get(crawlers::robots))
        .route("/sitemap.xml", get(crawlers::sitemap))
        .route("/opensearch/{name}", get(crawlers::search))
        .route("/.well-known/security.txt", get(crawlers::security))
        .route("/manifest.webmanifest", get(installed::manifest))
        .route("/icons/{name}", get(installed::icon))
        .route("/apple-touch-icon.png", get(installed::touched))
        .route("/newest", get(installed::newest))
        .route("/favicon.ico", get(about::icon))
        .nest(assets::FOLDER, assets::router())
        .fallback(nothing);

    around(app, api, pages)
}

/// Puts every layer around the routes of the API, which any origin may ask, and of the pages, whose forms must be our
/// own. Benches and tests put them around routes of their own.
pub fn around(app: Arc<App>, api: Router<Arc<App>>, pages: Router<Arc<App>>) -> Router {
    let limits = app.options.limits;
    let rate = from_fn_with_state(app.clone(), limit::rate);
    let api = api.layer(ServiceBuilder::new().layer(any_origin()).layer(rate.clone()));
    let pages = pages.layer(ServiceBuilder::new().layer(rate).layer(own_forms(&app)).layer(from_fn(crawlers::unlist)));
    // From the outermost to the innermost.
    let layers = ServiceBuilder::new()
        .layer(from_fn_with_state(app.clone(), log::line))
        .layer(from_fn_with_state(app.clone(), metering::meter))
        .layer(from_fn_with_state(app.clone(), headers::secure))
        .layer(from_fn_with_state(app.clone(), compression::elsewhere))
        .layer(compression::layer())
        .layer(from_fn(compression::note_length))
        .layer(from_fn_with_state(app.clone(), theme::wear))
        .layer(from_fn(dress::dress))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(limit::lengths))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, limits.handler))
        .layer(layer_fn(move |inner| limit::Bodies::new(inner, limits.body)));
    api.merge(pages).layer(layers).with_state(app)
}

fn any_origin() -> CorsLayer {
    let named = HeaderName::from_static;
    CorsLayer::new()
        .allow_origin(AnyOrigin)
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers([
            header::ACCEPT,
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            named("idempotency-key"),
            named("last-event-id"),
        ])
        .expose_headers([
            header::ETAG,
            header::LOCATION,
            header::RETRY_AFTER,
            named("repr-digest"),
            named("ratelimit-limit"),
            named("ratelimit-remaining"),
            named("ratelimit-reset"),
            named("x-request-id"),
        ])
        .max_age(Duration::from_secs(24 * 60 * 60))
}

/// Refuses forms that stood on another site. A proxy may call us by another name, so the public address counts too.
fn own_forms(app: &App) -> CsrfLayer {
    let layer = CsrfLayer::new();
    match &app.options.public_url {
        Some(url) => layer.clone().add_trusted_origin(url.origin()).unwrap_or(layer),
        None => layer,
    }
}

/// A panic is a fault of ours and the client's request is over; the panic hook has told the log where it was.
fn panicked(_: Box<dyn Any + Send>) -> Response {
    Error::new(Kind::Broken, "The server could not finish this request.").into_response()
}

async fn nothing() -> Error {
    Error::unknown("There is no page and no endpoint at this address.")
}
