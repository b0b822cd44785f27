//! The progress in solving a table.

use super::{
    index::{FIRST, Index, Layer},
    material::Material,
};

/// A stage of the solving that was finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The material of which some positions have just been finished.
    pub material: Material,
    /// The number of its positions that are finished.
    pub part: u32,
    /// The number of its positions.
    pub whole: u32,
    /// Positions finished in all.
    pub done: u32,
    /// Positions in all.
    pub total: u32,
}

impl Progress {
    /// The progress when a layer is finished.
    pub(super) fn after(index: &Index, layer: &Layer) -> Progress {
        let same = || index.layers().iter().filter(|other| other.material == layer.material);
        let first = same().map(|other| other.ids.start).min().unwrap_or(layer.ids.start);
        Progress {
            material: layer.material,
            part: layer.ids.end - first,
            whole: same().map(|other| other.ids.len() as u32).sum(),
            done: layer.ids.end - FIRST,
            total: index.len() as u32 - FIRST,
        }
    }
}
