//! Head.
