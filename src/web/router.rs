//! The routes of the site and the middleware around them. Every route is listed here, and nowhere else.

use super::{
    App, Error, Kind, api, bookie, chat,
    compression::{self, ConstantBody},
    designer, device_link, docs, endgames, error, exports, extract, fairy_stockfish, game, home, invitations, lichess,
    lobby, metrics, new_game, notifications, openapi, outbound, page_stream, piece_values, position_images, puzzles,
    record_download, rematches, request_limits, request_log, responses, robots, seek, share, site_pages, static_files,
    theme, variant_pages,
};
use axum::{
    Router,
    http::{HeaderName, Method, StatusCode, header},
    middleware::{from_fn, from_fn_with_state},
    response::{Html, IntoResponse, Response},
    routing::{any, get, post},
};
use serde_json::Value;
use std::{
    any::Any,
    sync::{Arc, OnceLock},
    time::Duration,
};
use tower::{ServiceBuilder, layer::layer_fn};
use tower_http::{
    catch_panic::CatchPanicLayer,
    cors::{Any as AnyOrigin, CorsLayer},
    csrf::CsrfLayer,
    timeout::TimeoutLayer,
};
use utoipa_axum::{router::OpenApiRouter, routes};

/// Builds the router of the whole site: API, pages and static files, inside all layers.
pub fn router(app: Arc<App>) -> Router {
    let (api, description) = OpenApiRouter::with_openapi(openapi::openapi())
        .routes(routes!(bookie::api::fresh)) // GET /api/bookie
        .routes(routes!(bookie::api::position)) // GET /api/bookie/{code}
        .routes(routes!(designer::api::piece)) // GET /api/betza
        .routes(routes!(designer::catalogue::pieces)) // GET /api/pieces
        .routes(routes!(fairy_stockfish::api::write, fairy_stockfish::api::read)) // GET, POST /api/fairy
        .routes(routes!(piece_values::api::worth, piece_values::api::measure)) // GET, POST /api/worth
        .routes(routes!(api::variants::variants)) // GET /api/variants
        .routes(routes!(api::lobby::games, api::create_game::begin)) // GET, POST /api/games
        .routes(routes!(api::create_game::sit)) // POST /api/seats
        .routes(routes!(api::lobby::seek)) // POST /api/lobby
        .routes(routes!(api::streams::lobby)) // GET /api/lobby/events
        .routes(routes!(api::player_keys::make)) // POST /api/keys
        .routes(routes!(api::player_keys::own)) // GET /api/keys/own
        .routes(routes!(api::finished_games::finished)) // GET /api/keys/games
        .routes(routes!(api::player_keys::renew)) // POST /api/keys/renew
        .routes(routes!(outbound::api::list, outbound::api::begin)) // GET, POST /api/keys/notices
        .routes(routes!(outbound::api::end)) // POST /api/keys/notices/{id}/end
        .routes(routes!(api::streams::games)) // GET /api/stream
        .routes(routes!(api::challenges::accept)) // POST /api/challenges/{id}/accept
        .routes(routes!(api::challenges::decline)) // POST /api/challenges/{id}/decline
        .routes(routes!(api::variants::list, api::variants::register)) // GET, POST /api/bots
        .routes(routes!(api::game::look)) // GET /api/games/{id}
        .routes(routes!(api::game::act)) // POST /api/games/{id}/actions
        .routes(routes!(api::conditional_moves::look, api::conditional_moves::set, api::conditional_moves::clear)) // GET, PUT, DELETE /api/games/{id}/conditional_moves
        .routes(routes!(api::game::review)) // GET /api/games/{id}/review
        .routes(routes!(api::game::hint)) // GET /api/games/{id}/hint
        .routes(routes!(api::player_keys::invitation)) // POST /api/games/{id}/invite
        .routes(routes!(api::player_keys::seat)) // POST /api/games/{id}/seat
        .routes(routes!(api::player_keys::hand_over)) // POST /api/games/{id}/key
        .routes(routes!(api::streams::events)) // GET /api/games/{id}/events
        .routes(routes!(record_download::pgn)) // GET /api/games/{id}/record.pgn
        .routes(routes!(record_download::json)) // GET /api/games/{id}/record.json
        .routes(routes!(record_download::many)) // GET /api/records
        .routes(routes!(exports::list)) // GET /api/exports
        .routes(routes!(exports::file)) // GET /api/exports/{name}
        .routes(routes!(endgames::api::value, endgames::api::values)) // GET, POST /api/richman
        .routes(routes!(endgames::downloads::file)) // GET /api/richman/files/{name}
        .routes(routes!(endgames::statistics::statistics)) // GET /api/richman/statistics/{name}
        .routes(routes!(endgames::chart_data::charts)) // GET /api/richman/charts/{name}
        .routes(routes!(endgames::heat_map::data::heat)) // GET /api/richman/heat
        .routes(routes!(endgames::class_search::search)) // GET /api/richman/search
        .routes(routes!(endgames::api::status)) // GET /api/richman/status
        .routes(routes!(endgames::answer_schema::read)) // GET /api/richman/schema.json
        .routes(routes!(endgames::four_piece_tables::tables)) // GET /api/richman/four
        .routes(routes!(endgames::threshold_search::search)) // GET /api/richman/four/{material}
        .routes(routes!(puzzles::api::daily)) // GET /api/puzzle/daily
        .routes(routes!(puzzles::api::next)) // GET /api/puzzle/next
        .routes(routes!(puzzles::api::puzzle, puzzles::api::answer)) // GET, POST /api/puzzle/{kind}/{number}
        .routes(routes!(endgames::api::mainline)) // GET /api/richman/mainline
        .split_for_parts();
    // The description is the same while the program runs.
    static DESCRIPTION: OnceLock<Value> = OnceLock::new();
    let description = DESCRIPTION.get_or_init(|| openapi::description(description));
    let parameters = Arc::new(openapi::query_parameters(description));
    let documentation = docs::documentation(description);
    let searched = ConstantBody::new("application/json", documentation.search.as_str());
    let description = ConstantBody::new("application/json", serde_json::to_vec(description).unwrap_or_default());
    let api = api.route_layer(from_fn_with_state(parameters, extract::known_parameters));
    let api = api.route("/api/openapi.json", get(async move || description)).route("/api/{*rest}", any(not_found));

    // The part of lichess's API that programs written for lichess need.
    let api = ["board", "bot"].into_iter().fold(api, |api, kind| {
        let game = format!("/api/{kind}/game/{{id}}");
        api.route(&format!("/api/{kind}/game/stream/{{id}}"), get(lichess::game))
            .route(&format!("{game}/move/{{uci}}"), post(lichess::make_move))
            .route(&format!("{game}/draw/{{accept}}"), post(lichess::draw))
            .route(&format!("{game}/resign"), post(lichess::resign))
            .route(&format!("{game}/abort"), post(lichess::abort))
            .route(&format!("{game}/chat"), get(lichess::chat).post(lichess::say))
    });
    let api = api
        .route("/api/account", get(lichess::account))
        .route("/api/stream/event", get(lichess::events))
        .route("/api/challenge/{id}", post(lichess::challenge))
        .route("/api/challenge/{id}/accept", post(lichess::accept))
        .route("/api/challenge/{id}/decline", post(lichess::decline))
        .route("/api/challenge/{id}/cancel", post(lichess::abort));

    let pages = Router::new()
        .route("/", get(home::page))
        .route("/lobby", get(lobby::page).post(lobby::find))
        .route("/lobby/games", get(lobby::lists))
        .route("/lobby/seek", get(seek::look))
        .route("/lobby/cancel", post(seek::cancel))
        .route("/about", get(site_pages::about))
        .route("/theme", get(theme::form).post(theme::choose))
        .route("/endgames", get(endgames::page))
        .route("/endgames/statistics", get(endgames::statistics::page))
        .route("/endgames/paper", get(endgames::best_line::page))
        .route("/endgames/four", get(endgames::four_piece_tables::page))
        .route("/endgames/four/search", get(endgames::threshold_search::page))
        .route("/endgames/smallest", get(endgames::smallest_gaps::page))
        .route("/endgames/smallest/{name}", get(endgames::smallest_gaps::classes))
        .route("/endgames/search", get(endgames::class_search::page))
        .route("/puzzles", get(puzzles::list))
        .route("/puzzles/{kind}", get(puzzles::fresh))
        .route("/puzzles/{kind}/{number}", get(puzzles::show).post(puzzles::answer))
        .route("/rules", get(variant_pages::list))
        .route("/rules/bookie", get(bookie::rules))
        .route("/rules/{variant}", get(variant_pages::page))
        .route("/rules/{variant}/image.png", get(position_images::rules_png))
        .route("/rules/{variant}/{paper}", get(variant_pages::paper))
        .route("/bookie", get(bookie::fresh))
        .route("/bookie/{code}", get(bookie::hidden))
        .route("/bookie/{code}/bid", post(bookie::bid))
        .route("/bookie/{code}/reveal", get(bookie::revealed))
        .route("/bookie/{code}/qr.svg", get(bookie::square))
        .route("/betza", get(designer::page))
        .route("/betza.svg", get(designer::piece_picture::svg))
        .route("/betza.png", get(designer::piece_picture::png))
        .route("/betza/embed", get(designer::piece_picture::embed))
        .route("/betza/play", post(designer::playtest::play))
        .route("/betza/saved", post(designer::save))
        .route("/betza/set", get(designer::design_set::set))
        .route("/betza/set.txt", get(designer::design_set::set_file))
        .route("/betza/set/play", post(designer::design_set::play_set))
        .route("/betza/army", get(designer::design_set::army))
        .route("/betza/army/play", post(designer::design_set::play))
        .route("/betza/army.txt", get(designer::design_set::army_file))
        .route("/pieces", get(designer::catalogue::page))
        .route("/fairy", get(fairy_stockfish::page).post(fairy_stockfish::bring))
        .route("/variants.ini", get(fairy_stockfish::file))
        .route("/worth", get(piece_values::page).post(piece_values::begin))
        .route("/new/{variant}", get(new_game::form))
        .route("/games", get(new_game::choose).post(new_game::begin))
        .route("/games/{id}", get(game::show).post(game::act))
        .route("/games/{id}/join", post(invitations::join))
        .route("/games/{id}/invite", post(device_link::invitation))
        .route("/games/{id}/link", post(device_link::link))
        .route("/games/{id}/conditional", get(game::conditional_moves::page).post(game::conditional_moves::change))
        .route("/games/{id}/rematch", post(game::rematch))
        .route("/games/{id}/again", post(lobby::again))
        .route("/games/{id}/session", get(rematches::page))
        .route("/games/{id}/say", post(chat::say))
        .route("/games/{id}/ply/{n}", get(game::past))
        .route("/games/{id}/missed/{ply}/{seat}", get(puzzles::missed::show).post(puzzles::missed::answer))
        .route("/games/{id}/moments", get(game::moments))
        .route("/games/{id}/fen.svg", get(game::fen))
        .route("/games/{id}/events", get(page_stream::events))
        .route("/games/{id}/image.svg", get(position_images::game_svg))
        .route("/games/{id}/image.png", get(position_images::game_png))
        .route("/games/{id}/embed", get(share::embed))
        .route("/diagram.svg", get(position_images::diagram_svg))
        .route("/diagram.png", get(position_images::diagram_png))
        .route("/diagram/bookie.png", get(position_images::bookie_png))
        .route("/diagram/bookie-revealed.png", get(position_images::revealed_png))
        .route("/oembed", get(share::oembed))
        .route("/games/{id}/record.pgn", get(record_download::pgn))
        .route("/games/{id}/record.json", get(record_download::json))
        .route("/seat", get(invitations::form).post(invitations::look_up))
        .route("/seat/{token}", get(invitations::seat))
        .route("/key", get(device_link::page).post(device_link::make))
        .route("/key/forget", post(device_link::forget))
        .route("/key/renew", post(device_link::renew))
        .route("/key/notices", post(notifications::begin))
        .route("/key/notices/{id}/end", post(notifications::end))
        .route("/key/push", get(notifications::signer))
        .route("/key/push/end", post(notifications::end_push))
        .route("/feeds/{secret}", get(outbound::feed::page))
        .route("/told.js", get(notifications::worker))
        .route("/key/{key}", get(device_link::given).post(device_link::take))
        .route("/invite/{code}", get(invitations::page).post(invitations::claim))
        .route("/healthz", get(metrics::alive))
        .route("/readyz", get(metrics::ready))
        .route("/robots.txt", get(robots::robots))
        .route("/sitemap.xml", get(robots::sitemap))
        .route("/opensearch/{name}", get(robots::search))
        .route("/.well-known/security.txt", get(robots::security))
        .route("/manifest.webmanifest", get(site_pages::manifest))
        .route("/icons/{name}", get(site_pages::icon))
        .route("/apple-touch-icon.png", get(site_pages::touched))
        .route("/newest", get(site_pages::newest))
        .route("/favicon.ico", get(site_pages::favicon))
        .nest(static_files::FOLDER, static_files::router())
        .fallback(not_found);
    // The pages of the API's documentation, below /docs.
    let pages = pages.route("/docs/search.json", get(async move || searched));
    let pages =
        documentation.pages.iter().fold(pages, |pages, (path, page)| pages.route(path, get(Html(page.as_str()))));

    with_layers(app, api, pages)
}

/// Wraps the routes in all layers. The API accepts requests from any origin; the pages accept forms only from this site.
/// Public because benches and tests wrap other routes in the same layers.
pub fn with_layers(app: Arc<App>, api: Router<Arc<App>>, pages: Router<Arc<App>>) -> Router {
    let limits = app.options.limits;
    let rate = from_fn_with_state(app.clone(), request_limits::rate);
    let api = api.layer(ServiceBuilder::new().layer(any_origin()).layer(rate.clone()));
    let pages = pages.layer(ServiceBuilder::new().layer(rate).layer(csrf_layer(&app)).layer(from_fn(robots::unlist)));
    // Outermost layer first.
    let layers = ServiceBuilder::new()
        .layer(from_fn_with_state(app.clone(), request_log::log_request))
        .layer(from_fn_with_state(app.clone(), request_limits::meter))
        .layer(from_fn_with_state(app.clone(), responses::secure))
        .layer(from_fn_with_state(app.clone(), compression::compress_off_thread))
        .layer(compression::private_layer())
        .layer(compression::public_layer())
        .layer(from_fn(compression::tag_response))
        .layer(from_fn_with_state(app.clone(), theme::apply_theme))
        .layer(from_fn_with_state(app.clone(), seek::show_in_header))
        .layer(from_fn(error::add_error_bodies))
        .layer(CatchPanicLayer::custom(panic_response))
        .layer(from_fn(request_limits::lengths))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, limits.handler))
        .layer(layer_fn(move |inner| request_limits::Bodies::new(inner, limits.body)));
    api.merge(pages).layer(layers).with_state(app)
}

fn any_origin() -> CorsLayer {
    let named = HeaderName::from_static;
    CorsLayer::new()
        .allow_origin(AnyOrigin)
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE])
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

/// Rejects forms that were submitted from another site. Behind a proxy the Host header can differ from the public URL, so the public
/// origin is trusted too.
fn csrf_layer(app: &App) -> CsrfLayer {
    let layer = CsrfLayer::new();
    match &app.options.public_url {
        Some(url) => layer.clone().add_trusted_origin(url.origin()).unwrap_or(layer),
        None => layer,
    }
}

/// Turns a panic into a response with status 500. The panic hook has already logged its location.
fn panic_response(_: Box<dyn Any + Send>) -> Response {
    Error::new(Kind::Broken, "The server could not finish this request.").into_response()
}

async fn not_found() -> Error {
    Error::unknown("There is no page or endpoint at this address.")
}
