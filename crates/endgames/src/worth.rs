//! The worth of a position, by number rather than by digits: comparing and writing down values that a table holds.

use std::{
    cmp::Ordering,
    fmt,
    ops::Deref,
    sync::{Arc, OnceLock},
};

use dashu_ratio::RBig;
use serde::{Serialize, Serializer};

use super::values::{ONE, ValueId, Values, ZERO};
use crate::board::Color;

/// An exact fraction in lowest terms, with the nearest floating-point number for reading. Copies share their digits.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Fraction {
    /// The numerator in decimal, with `-` if the fraction is negative.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub num: Digits,
    /// The denominator in decimal.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub den: Digits,
    /// The nearest floating-point number.
    pub approx: f64,
}

/// A whole number in decimal. Copies share the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Digits(Arc<str>);

impl Deref for Digits {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self)
    }
}

impl PartialEq<&str> for Digits {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl Serialize for Digits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl From<&RBig> for Fraction {
    fn from(value: &RBig) -> Fraction {
        Fraction {
            num: Digits(value.numerator().to_string().into()),
            den: Digits(value.denominator().to_string().into()),
            approx: value.to_f64().value(),
        }
    }
}

/// A value of a table, or one minus it where the table has the position with the colours reversed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    pub(super) id: ValueId,
    pub(super) reversed: bool,
}

impl Worth {
    /// The worth of a game in which the other king has been captured.
    pub(super) fn won(winner: Color) -> Worth {
        let id = match winner {
            Color::White => ONE,
            Color::Black => ZERO,
        };
        Worth { id, reversed: false }
    }

    /// White's chance to win.
    pub(super) fn exact(self, values: &Values) -> RBig {
        let value = values.get(self.id);
        if self.reversed { RBig::ONE - value } else { value.clone() }
    }

    /// Compares two values exactly.
    pub(super) fn compare(self, other: Worth, values: &Values) -> Ordering {
        match (self.reversed, other.reversed) {
            (false, false) => values.cmp(self.id, other.id),
            (true, true) => values.cmp(other.id, self.id),
            (true, false) | (false, true) => self.exact(values).cmp(&other.exact(values)),
        }
    }
}

/// The values that have been asked for, as they are written: whoever asks first writes.
#[derive(Default)]
pub(super) struct Written {
    own: Box<[OnceLock<Box<Fraction>>]>,
    reversed: Box<[OnceLock<Box<Fraction>>]>,
}

impl Written {
    /// Room for so many values, none of which is written yet.
    pub(super) fn new(count: usize) -> Written {
        let room = || (0..count).map(|_| OnceLock::new()).collect();
        Written { own: room(), reversed: room() }
    }

    /// A value as it is written.
    pub(super) fn get(&self, worth: Worth, values: &Values) -> &Fraction {
        let side = if worth.reversed { &self.reversed } else { &self.own };
        side[worth.id as usize].get_or_init(|| Box::new(Fraction::from(&worth.exact(values))))
    }
}
