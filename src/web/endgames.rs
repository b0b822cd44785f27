//! Endgame values on the site. The pages and the API below share what [`super::values`] keeps.

pub mod api;
mod assessment;
mod chips;
mod edit;
mod editor;
pub mod files;
mod hand;
mod heat;
mod line;
mod page;

pub use page::page;
