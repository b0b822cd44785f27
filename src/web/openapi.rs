//! The description of the API for programs, and the refusals that its endpoints share.

use super::kind::Kind;
use axum::{body::Bytes, http::header, response::IntoResponse};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::{
    IntoResponses, PartialSchema, ToSchema,
    openapi::{
        Components, ComponentsBuilder, Content, InfoBuilder, OpenApi, OpenApiBuilder, Ref, RefOr, Response,
        ResponseBuilder,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

/// An RFC 9457 problem document, as every refusal under `/api` has it.
#[derive(Serialize, ToSchema)]
pub(super) struct Problem {
    /// Where the kind of problem is explained, relative to this site.
    #[schema(example = "/docs#malformed")]
    r#type: String,
    /// The kind of problem in words, always the same for one kind.
    #[schema(example = "This request cannot be read")]
    title: String,
    /// The HTTP status.
    #[schema(example = 400)]
    status: u16,
    /// An account of what exactly was wrong and what to do.
    detail: String,
    /// Which field was wrong, where that is known.
    field: Option<String>,
    /// The offset of the first wrong character in that field, from 0, where that is known.
    at: Option<usize>,
}

/// A reference to the refusals of some kinds; the description holds each kind once.
fn refusals<const N: usize>(kinds: [Kind; N]) -> BTreeMap<String, RefOr<Response>> {
    let refusal = |kind: Kind| (kind.status().as_str().to_owned(), RefOr::Ref(Ref::from_response_name(kind.name())));
    kinds.into_iter().map(refusal).collect()
}

/// The refusals of what stands in the address of an endpoint.
pub(super) struct OfAddress;

impl IntoResponses for OfAddress {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Malformed])
    }
}

/// The refusals of a body.
pub(super) struct OfBody;

impl IntoResponses for OfBody {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Malformed, Kind::LongBody, Kind::Type])
    }
}

/// The refusals of a game: there is no such one, or the token proves no seat of it.
pub(super) struct OfGame;

impl IntoResponses for OfGame {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Unproved, Kind::Unknown])
    }
}

/// The refusals of what is asked with a key.
pub(super) struct OfKey;

impl IntoResponses for OfKey {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Unproved])
    }
}

/// The refusals of looking at a game with somebody's eyes.
pub(super) struct OfEyes;

impl IntoResponses for OfEyes {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Malformed, Kind::Unproved, Kind::Unknown])
    }
}

/// The refusals of a piece that stands in the address and that the rules do not allow.
pub(super) struct OfPiece;

impl IntoResponses for OfPiece {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Malformed, Kind::Refused])
    }
}

/// The description before any route is added to it.
pub(super) fn openapi() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Zorkmid")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Chess for stakes: positions, games, prices and exact values. Refusals are problem documents.",
        ))
        .build();
    let proof = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("The token of a seat, as it was given out when the game was begun or the seat taken."));
    let key = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A key from `POST /api/keys`, which holds many seats and proves each of them."));
    let components = ComponentsBuilder::new()
        .security_scheme("seat", SecurityScheme::Http(proof.build()))
        .security_scheme("key", SecurityScheme::Http(key.build()))
        .build();
    OpenApiBuilder::new().info(info).components(Some(components)).build()
}

/// The finished description as an answer, written once: every kind of refusal is described, and those that any endpoint can give are
/// added to each.
pub(super) fn description(mut api: OpenApi) -> impl IntoResponse + Clone + Send + Sync + 'static {
    let components = api.components.get_or_insert_with(Components::new);
    for kind in Kind::ALL {
        let problem = Content::new(Some(Ref::from_schema_name("Problem")));
        let refusal = ResponseBuilder::new()
            .description(format!("{}. {}", kind.title(), kind.advice()))
            .content("application/problem+json", problem)
            .build();
        components.responses.insert(kind.name().to_owned(), refusal.into());
    }
    components.schemas.insert(Problem::name().into_owned(), <Problem as PartialSchema>::schema());
    for path in api.paths.paths.values_mut() {
        for operation in [&mut path.get, &mut path.post].into_iter().flatten() {
            operation
                .responses
                .responses
                .extend(refusals([Kind::Often { retry_after: 1 }, Kind::Busy { retry_after: 1 }]));
        }
    }
    let text = Bytes::from(serde_json::to_vec(&api).unwrap_or_default());
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")], text)
}
