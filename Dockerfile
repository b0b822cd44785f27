FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --no-create-home zorkmid && install -d -o zorkmid /data
COPY --from=build /src/target/release/zorkmid /usr/local/bin/zorkmid
USER 10001
# Everything that is written is written here, so the rest of the file system may be mounted read-only.
VOLUME /data
ENV ZORKMID_LISTEN=0.0.0.0:8080 ZORKMID_DATA=/data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["zorkmid", "healthcheck"]
ENTRYPOINT ["zorkmid"]
CMD ["serve"]
