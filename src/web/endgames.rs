//! Endgame values on the site. The pages and the API below share the tables and what has been rendered from them.

mod address;
pub(super) mod amount;
mod answers;
pub mod api;
mod chart;
mod edit;
mod gallery;
mod heat;
mod page;

pub use answers::Endgames;
pub use page::page;
