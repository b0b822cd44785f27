//! The router: every address of the site and what answers it. The only module that knows HTTP.
//! It never looks at a variant: games reach it as views and refusals.

pub mod about;
pub mod api;
mod assets;
pub mod betza;
pub mod board;
pub mod bookie;
pub mod browser;
pub mod client;
pub mod docs;
pub mod endgames;
pub mod error;
pub mod extract;
pub mod game;
pub mod headers;
pub mod health;
pub mod home;
pub mod invite;
pub mod limit;
pub mod live;
mod log;
pub mod new;
pub mod picture;
pub mod record;
pub mod rules;
pub mod seat;
mod server;
pub mod share;

pub use assets::{asset, modules};
pub use client::{Base, Client, PublicUrl};
pub use error::{Error, Kind};
pub use log::discreet;
pub use server::{Limits, serve};

use self::endgames::Endgames;
use crate::{play::Play, richman::Tables};
use askama::Template;
use axum::{
    Router,
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::{from_fn, from_fn_with_state},
    response::{Html, IntoResponse, Response},
    routing::{any, get, post},
};
use ipnet::IpNet;
use std::{any::Any, sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;
use tower::ServiceBuilder;
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::{
        CompressionLayer,
        predicate::{DefaultPredicate, NotForContentType, Predicate},
    },
    cors::{Any as AnyOrigin, CorsLayer},
    csrf::CsrfLayer,
    limit::RequestBodyLimitLayer,
    timeout::{RequestBodyDeadlineLayer, TimeoutLayer},
};
use utoipa_axum::{router::OpenApiRouter, routes};

/// What the operator chose.
#[derive(Clone, Debug)]
pub struct Options {
    /// The base of absolute links; without it the Host header.
    pub public_url: Option<PublicUrl>,
    /// Peers whose X-Forwarded headers are believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Requests per second that one client address may make on average; 0 for no limit.
    pub rate: u32,
    /// Event streams that one client address may have open; 0 for no limit.
    pub streams_per_address: usize,
    /// Deadlines and the number of connections.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            public_url: None,
            trusted_proxies: Vec::new(),
            rate: 200,
            streams_per_address: 64,
            limits: Limits::default(),
        }
    }
}

/// Everything the handlers share.
pub struct App {
    /// What the operator chose.
    pub options: Options,
    /// What can happen to a game, and the only source of chance.
    pub play: Play,
    /// What endgames are worth.
    pub endgames: Arc<Endgames>,
    /// Cancelled when the server begins to stop: streams end, and it is no longer ready.
    pub closing: CancellationToken,
    /// The event streams that are open.
    pub streams: Arc<api::events::Streams>,
    rate: Option<limit::Rate>,
}

impl App {
    /// An app with these options. The tables need not be solved yet.
    pub fn new(options: Options, play: Play, tables: Arc<Tables>) -> Arc<App> {
        let rate = limit::Rate::new(options.rate);
        play.consult(tables.clone());
        let endgames = Arc::new(Endgames::new(tables));
        Arc::new(App { options, play, endgames, closing: CancellationToken::new(), streams: Arc::default(), rate })
    }
}

/// The whole site.
pub fn router(app: Arc<App>) -> Router {
    let (api, description) = OpenApiRouter::with_openapi(docs::openapi())
        .routes(routes!(bookie::api::fresh)) // GET /api/bookie
        .routes(routes!(bookie::api::position)) // GET /api/bookie/{code}
        .routes(routes!(betza::api::piece)) // GET /api/betza
        .routes(routes!(api::variants::variants)) // GET /api/variants
        .routes(routes!(api::begin)) // POST /api/games
        .routes(routes!(api::sit)) // POST /api/seats
        .routes(routes!(api::look)) // GET /api/games/{id}
        .routes(routes!(api::act)) // POST /api/games/{id}/actions
        .routes(routes!(api::events::events)) // GET /api/games/{id}/events
        .routes(routes!(record::pgn)) // GET /api/games/{id}/record.pgn
        .routes(routes!(record::json)) // GET /api/games/{id}/record.json
        .routes(routes!(endgames::api::value, endgames::api::values)) // GET, POST /api/richman
        .routes(routes!(endgames::api::status)) // GET /api/richman/status
        .routes(routes!(endgames::api::mainline)) // GET /api/richman/mainline
        .split_for_parts();
    let description = docs::description(&description);
    let api = api.route("/api/openapi.json", get(async move || description)).route("/api/{*rest}", any(nothing));

    let pages = Router::new()
        .route("/", get(home::page))
        .route("/about", get(about::page))
        .route("/docs", get(docs::page))
        .route("/endgames", get(endgames::page))
        .route("/rules", get(rules::list))
        .route("/rules/bookie", get(bookie::rules))
        .route("/rules/{variant}", get(rules::page))
        .route("/bookie", get(bookie::fresh))
        .route("/bookie/{code}", get(bookie::hidden))
        .route("/bookie/{code}/reveal", get(bookie::revealed))
        .route("/betza", get(betza::page))
        .route("/new/{variant}", get(new::form))
        .route("/games", get(new::choose).post(new::begin))
        .route("/games/{id}", get(game::show).post(game::act))
        .route("/games/{id}/join", post(invite::join))
        .route("/games/{id}/rematch", post(game::rematch))
        .route("/games/{id}/ply/{n}", get(game::past))
        .route("/games/{id}/events", get(live::events))
        .route("/games/{id}/image.svg", get(share::game_svg))
        .route("/games/{id}/image.png", get(share::game_png))
        .route("/games/{id}/embed", get(share::embed))
        .route("/diagram.svg", get(share::diagram_svg))
        .route("/diagram.png", get(share::diagram_png))
        .route("/oembed", get(share::oembed))
        .route("/games/{id}/record.pgn", get(record::pgn))
        .route("/games/{id}/record.json", get(record::json))
        .route("/seat", get(invite::form).post(invite::look_up))
        .route("/seat/{token}", get(invite::seat))
        .route("/invite/{code}", get(invite::page).post(invite::claim))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/robots.txt", get(about::robots))
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
    let pages = pages.layer(ServiceBuilder::new().layer(rate).layer(own_forms(&app)));
    // From the outermost to the innermost.
    let layers = ServiceBuilder::new()
        .layer(from_fn(log::line))
        .layer(from_fn_with_state(app.clone(), headers::secure))
        .layer(compression())
        .layer(from_fn(error::dress))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(limit::lengths))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, limits.handler))
        .layer(RequestBodyLimitLayer::new(limit::BODY))
        .layer(RequestBodyDeadlineLayer::new(limits.body));
    api.merge(pages).layer(layers).with_state(app)
}

/// What is not compressed: streams, which must not wait for more, and what tower-http leaves alone by itself.
fn compression() -> CompressionLayer<impl Predicate> {
    CompressionLayer::new().compress_when(
        DefaultPredicate::new()
            .and(NotForContentType::const_new("text/event-stream"))
            .and(NotForContentType::const_new("application/x-ndjson")),
    )
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

/// A rendered page. Its template's errors are faults of ours.
pub fn page(template: &impl Template) -> Result<Response, Error> {
    Ok(Html(template.render().map_err(Error::broken)?).into_response())
}

/// Marks an answer as being for one reader and one moment: no cache keeps it.
pub fn private(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}
