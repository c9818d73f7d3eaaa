# The program on a base image with Node and its libraries, without a shell.
# `npm run image` builds it and sets the version in the labels.

# `npm run image-digests` updates the digests of these two images, which make a build reproducible.
# Node 24 or newer at /nodejs/bin/node.
ARG BASE=gcr.io/distroless/nodejs24-debian13:nonroot@sha256:9eeb7f5887d0e239e78264b06f7f11d2e14be534050481803a9e4728fcdd278e
# Node 24 or newer with npm and a shell. The final image contains nothing of it.
ARG BUILDER=docker.io/library/node:24-trixie-slim@sha256:173f125896c3b47ddf056734c7ea789d04595a6a08769a8f78e0df642781fb66

FROM ${BASE} AS base

# The program is the same for every platform, so it is built on that of the builder.
FROM --platform=$BUILDPLATFORM ${BUILDER} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc tools/build/image-packages.ts ./
# Without the packages for checks and tests, until the next line brings the complete files.
RUN node image-packages.ts && npm ci --ignore-scripts
COPY . .
ARG COMMIT=unknown
RUN GRAPHWARDEN_COMMIT="$COMMIT" npm run --silent build
# The files that the next stage copies. The first line of the program is set to the path of Node in the base image.
RUN mkdir -p image/app image/usr/local/bin \
    && cp -r dist/graphwarden.mjs dist/chunks dist/graphwarden-page.json dist/graphwarden.cdx.json dist/THIRD-PARTY-NOTICES.txt LICENSE image/app/ \
    && sed -i '1s|^#!.*$|#!/nodejs/bin/node|' image/app/graphwarden.mjs \
    && ln -s /app/graphwarden.mjs image/usr/local/bin/graphwarden \
    && chmod -R u=rwX,go=rX image \
    && mkdir state

# The bill of materials of the whole image: Node, the packages of the base and those in the program.
ARG VERSION=unreleased
RUN --mount=type=bind,from=base,target=/base \
    node tools/build/image-sbom.ts /base image/app "$VERSION"

# The bill alone: `docker build --target bill --output dist .` writes dist/image.cdx.json.
FROM scratch AS bill
COPY --from=build /build/image/app/image.cdx.json /

FROM base
ARG BASE
ARG VERSION=unreleased
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="graphwarden" \
      org.opencontainers.image.description="Prometheus exporter, service-status tracker, alerter and query guard for graph database clusters" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/graphwarden/graphwarden" \
      org.opencontainers.image.url="https://github.com/graphwarden/graphwarden" \
      org.opencontainers.image.documentation="https://github.com/graphwarden/graphwarden/blob/main/docs/install.md" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${COMMIT}" \
      org.opencontainers.image.base.name="${BASE}"
COPY --from=build --chown=0:0 /build/image/ /
# A volume that is mounted here gets this owner. All other directories may be read-only.
COPY --from=build --chown=65532:65532 /build/state/ /var/lib/graphwarden/
WORKDIR /var/lib/graphwarden
# The C library keeps freed memory for each of its arenas, of which a process has eight for each core by default.
ENV MALLOC_ARENA_MAX=2
# A number, so that Kubernetes can verify that the user is not root.
USER 65532:65532
EXPOSE 9916
STOPSIGNAL SIGTERM
# The start period covers the check of the state and its migration after an update: minutes for a state of 2 GiB.
HEALTHCHECK --interval=15s --timeout=5s --start-period=15m --retries=3 \
    CMD ["/usr/local/bin/graphwarden", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/graphwarden"]
CMD ["run", "--config", "/etc/graphwarden/graphwarden.yml"]
