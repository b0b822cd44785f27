//! Downloads of whole tables.

use super::*;

#[tokio::test]
async fn whole_tables_can_be_downloaded() {
    let site = solved();
    let file = get(&site, "/api/richman/files/4x3-KNvK.csv.gz").await;
    assert_eq!((file.status.as_u16(), file.header("content-type")), (200, "application/octet-stream"));
    assert!(file.header("repr-digest").starts_with("sha-256=:") && file.header("access-control-allow-origin") == "*");
    let mut again = request(Method::GET, "/api/richman/files/4x3-KNvK.csv.gz");
    again.headers_mut().insert("if-none-match", file.header("etag").parse().unwrap());
    assert_eq!(ask(&site, again).await.status, 304);
    for wrong in [
        "8x8",
        "9x9.csv.gz",
        "2x3.csv.gz",
        "08x8.csv.gz",
        "8x8-KKvK.csv.gz",
        "8x8-.csv.gz",
        "8x8-KRvK-KNvK.csv.gz",
        "x.csv.gz",
    ] {
        get(&site, &format!("/api/richman/files/{wrong}")).await.problem(404);
    }
    // The page of a position links to the files of its board.
    let page = get(&site, "/endgames?fen=3k/4/K2N").await;
    assert!(page.body.contains("/api/richman/files/4x3-KNvK.csv.gz"), "{}", page.body);
}

#[tokio::test]
async fn browsers_get_errors_as_pages() {
    let site = site();
    for (path, status) in [("/api/richman/files/x.csv.gz", 404), ("/api/puzzle/sudoku/1", 404)] {
        get(&site, path).await.problem(status);
        let mut opened = request(Method::GET, path);
        opened.headers_mut().insert("accept", "text/html,application/xhtml+xml,*/*;q=0.8".parse().unwrap());
        assert!(ask(&site, opened).await.page(status).contains("<h1>Not found</h1>"), "{path}");
    }
}
