//! Tools that tests need: a database, a browser, a reference program. A test whose tool is missing fails.

/// Value of a variable that names a tool; `None` if it is missing and `ZORKMID_ALLOW_SKIP=1` allows skipping such tests.
pub(crate) fn named(variable: &str) -> Option<String> {
    let value = std::env::var(variable).ok();
    value.or_else(|| missing(&format!("{variable} is not set; tests/run sets it")))
}

/// Fails because of a missing tool, or reports that a test is skipped.
pub(crate) fn missing<T>(why: &str) -> Option<T> {
    assert!(
        std::env::var("ZORKMID_ALLOW_SKIP").is_ok_and(|value| value == "1"),
        "{why}. ZORKMID_ALLOW_SKIP=1 leaves out the tests that cannot run."
    );
    eprintln!("SKIPPED: {why}");
    None
}
