# Images are pinned by digest: see docs/operation.md.
# Dependencies change rarely, so they are built first, in their own layer, from the manifests alone.
FROM rust:1.95-bookworm@sha256:6258907abe69656e41cd992e0b705cdcfabcbbe3db374f92ed2d47121282d4a1 AS build
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
COPY crates/board/Cargo.toml crates/board/
COPY crates/endgames/Cargo.toml crates/endgames/
COPY crates/games/Cargo.toml crates/games/
RUN mkdir -p src/main crates/board/src crates/endgames/src crates/games/src benches crates/games/tests/laws \
    && touch src/lib.rs crates/board/src/lib.rs crates/endgames/src/lib.rs crates/games/src/lib.rs \
    && for main in build.rs src/main/main.rs benches/main.rs crates/games/tests/laws/main.rs; do echo 'fn main() {}' > "$main"; done \
    && cargo build --profile dist --locked
COPY . .
# Cargo compares modification times, and the sources may be older than the placeholders that they replace.
RUN touch build.rs src/lib.rs src/main/main.rs crates/*/src/lib.rs && cargo build --profile dist --locked && install -d -m 700 /data

# No shell and no package manager. Runs as the unprivileged user 65532.
FROM gcr.io/distroless/cc-debian12:nonroot@sha256:9dac0a79194e45a7da0158a9c6da57b217585af0786db3845d1f0ec1a0dd182f
COPY --from=build /src/target/dist/zorkmid /usr/local/bin/zorkmid
COPY --from=build --chown=65532:65532 /data /data
# The server writes only here, so the rest of the file system can be mounted read-only.
VOLUME /data
ENV ZORKMID_LISTEN=0.0.0.0:8080 ZORKMID_DATA=/data
# Fewer malloc arenas leave less unused memory.
ENV MALLOC_ARENA_MAX=2
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/usr/local/bin/zorkmid", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/zorkmid"]
CMD ["serve"]
