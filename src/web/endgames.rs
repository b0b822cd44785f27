//! Endgame values on the site. The pages and the API below share what [`super::values`] keeps.

pub mod api;
mod edit;
mod heat;
mod page;

pub use page::page;
