//! TLS connections to databases, which must present a trusted certificate.

use super::*;

/// Creates a self-signed certificate for the loopback address.
fn stranger(folder: &std::path::Path) -> String {
    let (key, certificate) = (folder.join("key"), folder.join("certificate"));
    let mut openssl = std::process::Command::new("openssl");
    openssl.args(["req", "-x509", "-newkey", "rsa:2048", "-noenc", "-days", "2", "-subj", "/CN=127.0.0.1", "-keyout"]);
    let made = openssl.arg(key).arg("-out").arg(&certificate).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    certificate.to_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_database_needs_a_trusted_certificate() {
    let names = ["ZORKMID_TEST_POSTGRES", "ZORKMID_TEST_CERTIFICATE"].map(tools::named);
    let [Some(url), Some(certificate)] = names else { return };
    let ground = postgres(&url).await;
    let strict = |root: &str| format!("{}&sslmode=verify-full&sslrootcert={root}", ground.address);
    let store = Store::open(&strict(&certificate)).await.unwrap();
    store.create(new_game("g")).await.unwrap();
    assert!(store.load("g").await.unwrap().is_some());
    store.close().await;

    let folder = tempfile::tempdir().unwrap();
    match Store::open(&strict(&stranger(folder.path()))).await {
        Ok(_) => panic!("an untrusted certificate was accepted"),
        Err(error) => assert!(error.to_string().contains("certificate"), "{error}"),
    }
}
