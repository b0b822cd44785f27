//! Exact amounts of money and points.

use num_rational::Ratio;
use serde::{Serialize, Serializer};

/// An exact amount, written as a whole number or a fraction: `12`, `1/2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, utoipa::ToSchema)]
#[schema(value_type = String)]
pub struct Amount(pub Ratio<i64>);

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}
