//! The kinds of failure that a client can meet: one table of what each is called and answered with.

use axum::http::StatusCode;
use tracing::Level;

/// The kinds of failure that a client can meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The request cannot be read: a query, a body or a code is not what it should be.
    Malformed,
    /// A seat's proof is missing or proves nothing here.
    Unproved,
    /// A form that another site sent.
    Foreign,
    /// Nothing is at this address.
    Unknown,
    /// This address does not answer this method.
    Method,
    /// The body did not arrive in time.
    Slow,
    /// The request speaks of a moment that has passed.
    Stale,
    /// The body is too long.
    LongBody,
    /// The address is too long.
    LongAddress,
    /// The body is of a type that is not read here.
    Type,
    /// The request can be read, and the rules refuse it.
    Refused,
    /// Too many requests from one address.
    Often {
        /// Seconds until the next one will be answered.
        retry_after: u64,
    },
    /// The header fields are too long.
    LongHeaders,
    /// A fault of ours.
    Broken,
    /// A format that is not offered here.
    Format,
    /// Not now: something is being computed, or the server is stopping.
    Busy {
        /// Seconds after which it is worth asking again.
        retry_after: u64,
    },
}

impl Kind {
    /// One of each, in the order of their statuses, as the documentation lists them.
    pub const ALL: [Kind; 16] = [
        Kind::Malformed,
        Kind::Unproved,
        Kind::Foreign,
        Kind::Unknown,
        Kind::Method,
        Kind::Slow,
        Kind::Stale,
        Kind::LongBody,
        Kind::LongAddress,
        Kind::Type,
        Kind::Refused,
        Kind::Often { retry_after: 1 },
        Kind::LongHeaders,
        Kind::Broken,
        Kind::Format,
        Kind::Busy { retry_after: 1 },
    ];

    /// The status of the answer.
    pub fn status(self) -> StatusCode {
        match self {
            Kind::Malformed => StatusCode::BAD_REQUEST,
            Kind::Unproved => StatusCode::UNAUTHORIZED,
            Kind::Foreign => StatusCode::FORBIDDEN,
            Kind::Unknown => StatusCode::NOT_FOUND,
            Kind::Method => StatusCode::METHOD_NOT_ALLOWED,
            Kind::Slow => StatusCode::REQUEST_TIMEOUT,
            Kind::Stale => StatusCode::CONFLICT,
            Kind::LongBody => StatusCode::PAYLOAD_TOO_LARGE,
            Kind::LongAddress => StatusCode::URI_TOO_LONG,
            Kind::Type => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Kind::Refused => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::Often { .. } => StatusCode::TOO_MANY_REQUESTS,
            Kind::LongHeaders => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Kind::Broken => StatusCode::INTERNAL_SERVER_ERROR,
            Kind::Format => StatusCode::NOT_IMPLEMENTED,
            Kind::Busy { .. } => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The level at which the log tells of it: what clients do wrong is ordinary, what we do wrong is not.
    pub fn level(self) -> Level {
        match self {
            Kind::Malformed
            | Kind::Unproved
            | Kind::Unknown
            | Kind::Method
            | Kind::Slow
            | Kind::Stale
            | Kind::LongBody
            | Kind::LongAddress
            | Kind::Type
            | Kind::Refused
            | Kind::LongHeaders
            | Kind::Format => Level::INFO,
            Kind::Foreign | Kind::Often { .. } | Kind::Busy { .. } => Level::WARN,
            Kind::Broken => Level::ERROR,
        }
    }

    /// The last part of the problem's `type`, an anchor on the page of documentation.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Malformed => "malformed",
            Kind::Unproved => "unproved",
            Kind::Foreign => "foreign-form",
            Kind::Unknown => "unknown",
            Kind::Method => "method",
            Kind::Slow => "slow",
            Kind::Stale => "stale",
            Kind::LongBody => "long-body",
            Kind::LongAddress => "long-address",
            Kind::Type => "body-type",
            Kind::Refused => "refused",
            Kind::Often { .. } => "too-often",
            Kind::LongHeaders => "long-headers",
            Kind::Broken => "broken",
            Kind::Format => "format",
            Kind::Busy { .. } => "busy",
        }
    }

    /// The heading, the same for every failure of the kind.
    pub fn title(self) -> &'static str {
        match self {
            Kind::Malformed => "This request cannot be read",
            Kind::Unproved => "This takes a seat",
            Kind::Foreign => "This form came from another site",
            Kind::Unknown => "Nothing is here",
            Kind::Method => "This address does not answer that method",
            Kind::Slow => "The request took too long to arrive",
            Kind::Stale => "The game has moved on",
            Kind::LongBody => "This is too much for one request",
            Kind::LongAddress => "The address is too long",
            Kind::Type => "This kind of body is not read here",
            Kind::Refused => "The rules do not allow this",
            Kind::Often { .. } => "Too many requests",
            Kind::LongHeaders => "The request headers are too long",
            Kind::Broken => "Something broke on our side",
            Kind::Format => "This format is not offered here",
            Kind::Busy { .. } => "Not just now",
        }
    }

    /// Says what the reader of the page, or of the documentation, can do about it.
    pub fn advice(self) -> &'static str {
        match self {
            Kind::Malformed => {
                "Go back and correct what is named above. If you followed a link, it may have been cut short: ask for it again."
            }
            Kind::Unproved => {
                "Send the seat's token as Authorization: Bearer TOKEN, or open the private link of your seat in the browser."
            }
            Kind::Foreign => "Open the page on this site and send the form from there.",
            Kind::Unknown => "Check the address for a slip, or start from the home page.",
            Kind::Method => {
                "Go back to the page you came from and use its buttons. The Allow header lists the methods that work."
            }
            Kind::Slow => "Check your connection and send it again; nothing was changed.",
            Kind::Stale => "Load the page again: it shows the game as it stands now. Nothing was changed.",
            Kind::LongBody => "Send at most 64 KiB, and no more at once than is said above.",
            Kind::LongAddress => "Use an address of at most 8 KiB.",
            Kind::Type => "Send JSON with the header Content-Type: application/json.",
            Kind::Refused => "Go back and choose something else; nothing was changed.",
            Kind::Often { .. } => "Wait as many seconds as the Retry-After header says, then go on.",
            Kind::LongHeaders => {
                "Send at most 16 KiB of header fields. In a browser, deleting this site's cookies helps."
            }
            Kind::Broken => {
                "Nothing you did caused this. Try again; if it stays, tell the operator the request number below."
            }
            Kind::Format => "Ask for one of the formats that are named above.",
            Kind::Busy { .. } => "Try again after as many seconds as the Retry-After header says.",
        }
    }

    /// The kind of a refusal that some layer gave without saying more.
    pub(super) fn of_status(status: StatusCode) -> Kind {
        let alike = match status {
            StatusCode::SERVICE_UNAVAILABLE => Some(Kind::Busy { retry_after: 10 }),
            other => Kind::ALL.into_iter().find(|kind| kind.status() == other),
        };
        alike.unwrap_or(if status.is_server_error() { Kind::Broken } else { Kind::Malformed })
    }
}
