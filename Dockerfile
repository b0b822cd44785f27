# Images are pinned by digest; docs/operation.md shows how to update them.
# The dependencies have a layer to themselves: a build of the package without its sources.
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
# Cargo compares file times, and the sources may be older than the placeholders.
RUN touch build.rs src/lib.rs src/main/main.rs crates/*/src/lib.rs && cargo build --profile dist --locked && install -d -m 700 /data

# No shell, no package manager, unprivileged user 65532.
FROM gcr.io/distroless/cc-debian12:nonroot@sha256:9dac0a79194e45a7da0158a9c6da57b217585af0786db3845d1f0ec1a0dd182f
COPY --from=build /src/target/dist/zorkmid /usr/local/bin/zorkmid
COPY --from=build --chown=65532:65532 /data /data
# The only folder that the server writes to; the rest may be mounted read-only.
VOLUME /data
ENV ZORKMID_LISTEN=0.0.0.0:8080 ZORKMID_DATA=/data
# Fewer malloc arenas keep less unused memory.
ENV MALLOC_ARENA_MAX=2
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/usr/local/bin/zorkmid", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/zorkmid"]
CMD ["serve"]
