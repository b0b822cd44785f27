//! Where positions stand on the site.

/// The address of a position's page, with further parameters that are not empty. A placement needs no escape.
pub(in crate::web) fn path(fen: &str, more: &[(&str, &str)]) -> String {
    let mut path = format!("/endgames?fen={fen}");
    for (name, value) in more.iter().filter(|(_, value)| !value.is_empty()) {
        path.push('&');
        path.push_str(name);
        path.push('=');
        path.push_str(value);
    }
    path
}
