//! The OpenAPI description, and the error responses that endpoints share.

mod shared_schemas;

use super::{Kind, api::challenges::DeclineRequest, endgames::Money};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use utoipa::{
    IntoResponses, PartialSchema, ToSchema,
    openapi::{
        Components, ComponentsBuilder, Content, Header, HeaderBuilder, InfoBuilder, LicenseBuilder, OpenApi,
        OpenApiBuilder, Ref, RefOr, Response, ResponseBuilder, Server,
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
    },
};

/// An RFC 9457 problem document, the body of every error under `/api`.
#[derive(Serialize, ToSchema)]
pub(super) struct Problem {
    /// Address of an explanation of the error type, relative to this site.
    #[schema(example = "/docs/errors#malformed")]
    r#type: String,
    /// Summary of the error type, always the same for one type.
    #[schema(example = "Invalid request")]
    title: String,
    /// HTTP status.
    #[schema(example = 400)]
    status: u16,
    /// Explanation of the error and its remedy.
    detail: String,
    /// The wrong field, if known.
    field: Option<String>,
    /// Offset of the first wrong character in that field, from 0, if known.
    at: Option<usize>,
}

/// References to the shared responses of some error kinds.
fn refusals<const N: usize>(kinds: [Kind; N]) -> BTreeMap<String, RefOr<Response>> {
    let refusal = |kind: Kind| (kind.status().as_str().to_owned(), RefOr::Ref(Ref::from_response_name(kind.name())));
    kinds.into_iter().map(refusal).collect()
}

/// Errors of path parameters.
pub(super) struct PathErrors;

impl IntoResponses for PathErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Malformed])
    }
}

/// Errors of a request body.
pub(super) struct BodyErrors;

impl IntoResponses for BodyErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Malformed, Kind::LongBody, Kind::Type])
    }
}

/// Errors of a game request: the game does not exist, or the token does not belong to a seat.
pub(super) struct GameErrors;

impl IntoResponses for GameErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Unauthorized, Kind::Unknown])
    }
}

/// Errors of a request with a key.
pub(super) struct KeyErrors;

impl IntoResponses for KeyErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Unauthorized])
    }
}

/// Errors of a view of a game.
pub(super) struct ViewErrors;

impl IntoResponses for ViewErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Malformed, Kind::Unauthorized, Kind::Unknown])
    }
}

/// Errors of a piece in the address.
pub(super) struct PieceErrors;

impl IntoResponses for PieceErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Malformed, Kind::Refused])
    }
}

/// Base of the description, without routes.
pub(super) fn openapi() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Zorkmid")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Chess for stakes: positions, games, piece prices and exact values. Errors are problem documents.",
        ))
        .license(Some(LicenseBuilder::new().name("MIT or Apache 2.0").identifier(Some("MIT OR Apache-2.0")).build()))
        .build();
    let proof = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("The token of a seat, returned when the game was created or the seat taken."));
    let key = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A key from `POST /api/keys`. It holds many seats and works as the token of each."));
    // utoipa adds the types of responses and of required bodies, but not these of a parameter and an optional body.
    let components = ComponentsBuilder::new()
        .schema_from::<Money>()
        .schema_from::<DeclineRequest>()
        .security_scheme("seat", SecurityScheme::Http(proof.build()))
        .security_scheme("key", SecurityScheme::Http(key.build()))
        .build();
    OpenApiBuilder::new().info(info).servers(Some([Server::new("/")])).components(Some(components)).build()
}

/// Response headers and their descriptions.
const RESPONSE_HEADERS: [(&str, &str); 5] = [
    ("ratelimit-limit", "Number of requests that your address may send at once."),
    ("ratelimit-remaining", "Number of requests left."),
    ("ratelimit-reset", "Seconds until all requests are available again."),
    ("retry-after", "Seconds to wait before the next attempt."),
    ("x-request-id", "Number of the request in the server's log."),
];

fn headers(names: &[&str]) -> BTreeMap<String, RefOr<Header>> {
    let header = |name: &&str| ((*name).to_owned(), RefOr::Ref(Ref::new(format!("#/components/headers/{name}"))));
    names.iter().map(header).collect()
}

/// The complete description as JSON.
pub(super) fn description(api: OpenApi) -> Value {
    let mut api = serde_json::to_value(with_errors(api)).unwrap_or_default();
    if let Some(schemas) = api["components"]["schemas"].as_object_mut() {
        shared_schemas::add_games(schemas);
        shared_schemas::share(schemas);
    }
    shared_schemas::remove_unused(&mut api);
    api
}

/// Query parameters of every operation, by method and path.
pub(super) fn query_parameters(api: &Value) -> QueryParameters {
    let paths = api["paths"].as_object().into_iter().flatten();
    let operations = paths.flat_map(|(path, methods)| {
        methods.as_object().into_iter().flatten().map(move |(method, operation)| (path, method, operation))
    });
    let names = |operation: &Value| {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let queries = parameters.filter(|parameter| parameter["in"] == "query");
        queries.filter_map(|parameter| parameter["name"].as_str().map(str::to_owned)).collect()
    };
    operations.map(|(path, method, operation)| ((method.to_uppercase(), path.clone()), names(operation))).collect()
}

/// Names of the query parameters of an operation, by its method and path.
pub(in crate::web) type QueryParameters = BTreeMap<(String, String), BTreeSet<String>>;

/// Adds all error responses, and the errors that every endpoint can return.
fn with_errors(mut api: OpenApi) -> OpenApi {
    let limits = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "x-request-id"];
    let components = api.components.get_or_insert_with(Components::new);
    for (name, words) in RESPONSE_HEADERS {
        let schema = if name == "x-request-id" { String::schema() } else { u64::schema() };
        let header = HeaderBuilder::new().schema(Some(schema)).description(Some(words));
        components.headers.insert(name.to_owned(), header.build().into());
    }
    components.schemas.insert(Problem::name().into_owned(), <Problem as PartialSchema>::schema());
    for path in api.paths.paths.values_mut() {
        for operation in [&mut path.get, &mut path.post, &mut path.put, &mut path.delete].into_iter().flatten() {
            for answer in operation.responses.responses.values_mut() {
                if let RefOr::T(answer) = answer {
                    answer.headers.extend(headers(&limits));
                }
            }
            let any = [
                Kind::Malformed,
                Kind::LongAddress,
                Kind::Often { retry_after: 1 },
                Kind::LongHeaders,
                Kind::Broken,
                Kind::Busy { retry_after: 1 },
            ];
            for (status, refusal) in refusals(any) {
                operation.responses.responses.entry(status).or_insert(refusal);
            }
            if operation.request_body.is_some() {
                operation.responses.responses.extend(refusals([Kind::Slow]));
            }
            // Endpoints without authentication declare so explicitly.
            operation.security.get_or_insert_with(|| vec![SecurityRequirement::default()]);
        }
    }
    let used = serde_json::to_string(&api.paths).unwrap_or_default();
    let components = api.components.get_or_insert_with(Components::new);
    for kind in Kind::ALL {
        if !used.contains(&format!("\"#/components/responses/{}\"", kind.name())) {
            continue;
        }
        let problem = Content::new(Some(Ref::from_schema_name("Problem")));
        let mut refusal = ResponseBuilder::new()
            .description(format!("{}. {}", kind.title(), kind.advice()))
            .content("application/problem+json", problem)
            .build();
        refusal.headers = headers(&limits);
        if matches!(kind, Kind::Often { .. } | Kind::Busy { .. }) {
            refusal.headers.extend(headers(&["retry-after"]));
        }
        components.responses.insert(kind.name().to_owned(), refusal.into());
    }
    api
}
