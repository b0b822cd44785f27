//! Endgame values on the site. The pages and the API below share what [`super::values`] keeps.

pub mod api;
mod assessment;
mod bulk;
pub mod charts;
mod chip_words;
mod chips;
mod edit;
mod editor;
pub mod files;
mod four;
mod hand;
pub mod heat;
mod horizon;
mod line;
mod mechanism;
mod numbers;
mod page;
pub mod pairs;
pub mod paper;
mod patience;
mod rendering;
pub mod search;
pub mod smallest;
pub mod sought;
pub mod statistics;

pub use page::page;
