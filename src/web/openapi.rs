//! The description of the API for programs, its documentation by example, and the refusals that its endpoints share.

use super::{
    Error, Kind,
    client_address::PublicOrigin,
    page as render,
    request_limits::{ADDRESS, BODY, HEADERS},
};
use crate::{
    registry::{VARIANTS, Variant},
    rules::{BLANKS, Placeholder},
};
use askama::Template;
use axum::{
    body::Bytes,
    http::header,
    response::{self, IntoResponse},
};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::{
    IntoResponses, PartialSchema, ToSchema,
    openapi::{
        Components, ComponentsBuilder, Content, Discriminator, Header, HeaderBuilder, InfoBuilder, LicenseBuilder,
        OpenApi, OpenApiBuilder, Ref, RefOr, Response, ResponseBuilder, Server,
        schema::{ObjectBuilder, OneOfBuilder, Schema, Type},
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
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
pub(super) struct PathErrors;

impl IntoResponses for PathErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Malformed])
    }
}

/// The refusals of a body.
pub(super) struct BodyErrors;

impl IntoResponses for BodyErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Malformed, Kind::LongBody, Kind::Type])
    }
}

/// The refusals of a game: there is no such one, or the token proves no seat of it.
pub(super) struct GameErrors;

impl IntoResponses for GameErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Unproved, Kind::Unknown])
    }
}

/// The refusals of what is asked with a key.
pub(super) struct KeyErrors;

impl IntoResponses for KeyErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Unproved])
    }
}

/// The refusals of looking at a game with somebody's eyes.
pub(super) struct ViewErrors;

impl IntoResponses for ViewErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals([Kind::Malformed, Kind::Unproved, Kind::Unknown])
    }
}

/// The refusals of a piece that stands in the address and that the rules do not allow.
pub(super) struct PieceErrors;

impl IntoResponses for PieceErrors {
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
        .license(Some(LicenseBuilder::new().name("MIT or Apache 2.0").identifier(Some("MIT OR Apache-2.0")).build()))
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
    OpenApiBuilder::new().info(info).servers(Some([Server::new("/")])).components(Some(components)).build()
}

/// Header fields that answers have, with what they say.
const RESPONSE_HEADERS: [(&str, &str); 5] = [
    ("ratelimit-limit", "The requests that your address may make at once."),
    ("ratelimit-remaining", "Those that are left."),
    ("ratelimit-reset", "The seconds until all are left again."),
    ("retry-after", "The seconds after which it is worth asking again."),
    ("x-request-id", "The number of the request, by which the log of the server knows it."),
];

fn headers(names: &[&str]) -> BTreeMap<String, RefOr<Header>> {
    let header = |name: &&str| ((*name).to_owned(), RefOr::Ref(Ref::new(format!("#/components/headers/{name}"))));
    names.iter().map(header).collect()
}

/// The finished description as an answer, written once: every kind of refusal is described, those that any endpoint can give are
/// added to each, and a game is one of as many as there are variants.
pub(super) fn description(mut api: OpenApi) -> impl IntoResponse + Clone + Send + Sync + 'static {
    let limits = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "x-request-id"];
    let components = api.components.get_or_insert_with(Components::new);
    for (name, words) in RESPONSE_HEADERS {
        let schema = if name == "x-request-id" { String::schema() } else { u64::schema() };
        let header = HeaderBuilder::new().schema(Some(schema)).description(Some(words));
        components.headers.insert(name.to_owned(), header.build().into());
    }
    games(components);
    components.schemas.insert(Problem::name().into_owned(), <Problem as PartialSchema>::schema());
    for path in api.paths.paths.values_mut() {
        for operation in [&mut path.get, &mut path.post].into_iter().flatten() {
            for answer in operation.responses.responses.values_mut() {
                if let RefOr::T(answer) = answer {
                    answer.headers.extend(headers(&limits));
                }
            }
            let any = [
                Kind::LongAddress,
                Kind::Often { retry_after: 1 },
                Kind::LongHeaders,
                Kind::Broken,
                Kind::Busy { retry_after: 1 },
            ];
            operation.responses.responses.extend(refusals(any));
            if operation.request_body.is_some() {
                operation.responses.responses.extend(refusals([Kind::Slow]));
            }
            // Whoever needs no proof needs none: it is said, and not left out.
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
    // What is described where it is used needs no name.
    let all = serde_json::to_string(&api).unwrap_or_default();
    let components = api.components.get_or_insert_with(Components::new);
    components.schemas.retain(|name, _| all.contains(&format!("\"#/components/schemas/{name}\"")));
    let text = Bytes::from(serde_json::to_vec(&api).unwrap_or_default());
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")], text)
}

/// Describes a game of each variant with the view that it has, and a game as one of these, told apart by `variant`.
fn games(components: &mut Components) {
    const GAME: &str = "GameAnswer";
    let Some(RefOr::T(Schema::Object(common))) = components.schemas.get(GAME).cloned() else { return };
    let mut one_of = OneOfBuilder::new().description(common.description.clone());
    let mut apart = Discriminator::new("variant");
    for variant in VARIANTS {
        let (view, named) = (variant.view)();
        components.schemas.extend(named);
        let mut game = common.clone();
        let key = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([variant.key]));
        game.properties.insert("variant".to_owned(), key.into());
        game.properties.insert("view".to_owned(), view);
        game.description = Some(format!("A game of {}.", variant.title));
        let name = format!(
            "{}Game",
            variant.title.split(|letter: char| !letter.is_alphanumeric()).map(capital).collect::<String>()
        );
        let place = Ref::from_schema_name(&name);
        apart.mapping.insert(variant.key.to_owned(), place.ref_location.clone());
        one_of = one_of.item(place);
        components.schemas.insert(name, Schema::Object(game).into());
    }
    components.schemas.insert(GAME.to_owned(), one_of.discriminator(Some(apart)).into());
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[derive(Template)]
#[template(path = "docs.html")]
struct Docs {
    base: String,
    kinds: [Kind; 16],
    variants: &'static [Variant],
    blanks: &'static [Placeholder],
    body: usize,
    address: usize,
    headers: usize,
}

/// `GET /docs`
pub async fn page(base: PublicOrigin) -> Result<response::Response, Error> {
    let kib = |bytes: usize| bytes / 1024;
    render(&Docs {
        base: base.url(""),
        kinds: Kind::ALL,
        variants: VARIANTS,
        blanks: &BLANKS,
        body: kib(BODY),
        address: kib(ADDRESS),
        headers: kib(HEADERS),
    })
}
