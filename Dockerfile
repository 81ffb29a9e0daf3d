# Builds as in README, and runs with the packages that README names.
FROM swift:6.2-bookworm AS build
RUN apt-get update \
 && apt-get install --yes --no-install-recommends \
      libpq-dev libsimdjson-dev libssl-dev libzstd-dev pkg-config zlib1g-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY Benchmarks ./Benchmarks
COPY Plugins ./Plugins
COPY Sources ./Sources
COPY Tests ./Tests
COPY scripts/lib/embed-sql ./scripts/lib/embed-sql
COPY sql ./sql
RUN swift build -c release --static-swift-stdlib -Xlinker -s --product gamebase-ingest

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends \
      ca-certificates libpq5 libsimdjson14 libssl3 libstdc++6 libzstd1 zlib1g \
      rclone \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home gamebase-ingest
COPY --from=build /source/.build/release/gamebase-ingest /usr/local/bin/gamebase-ingest
COPY deploy/gamebase-night /usr/local/bin/gamebase-night
USER 10001
LABEL org.opencontainers.image.title="gamebase-ingest" \
      org.opencontainers.image.description="Loads NHN Cloud Gamebase traces into PostgreSQL" \
      org.opencontainers.image.licenses="MIT"
# A backtrace would print memory, which can contain parts of the input.
ENV SWIFT_BACKTRACE=enable=no
ENTRYPOINT ["gamebase-ingest"]
