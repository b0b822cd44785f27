//! The networks of `compose.yaml`.

use ipnet::IpNet;
use std::net::IpAddr;

/// Value of a key that has exactly one value in the file.
fn value<T: std::str::FromStr<Err: std::fmt::Debug>>(key: &str) -> T {
    let lines = include_str!("../../compose.yaml").lines();
    let mut values = lines.filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix(&format!("{key}: ")));
    let value = values.next().unwrap_or_else(|| panic!("no {key}"));
    assert_eq!(values.next(), None, "a second {key}");
    value.parse().unwrap()
}

#[test]
fn the_fixed_address_of_the_proxy_is_outside_the_range_that_docker_assigns() {
    let (subnet, range): (IpNet, IpNet) = (value("subnet"), value("ip_range"));
    let (proxy, trusted): (IpAddr, IpAddr) = (value("ipv4_address"), value("ZORKMID_TRUSTED_PROXIES"));
    assert_eq!(proxy, trusted);
    assert!(subnet.contains(&proxy) && subnet.contains(&range) && !range.contains(&proxy));
}
