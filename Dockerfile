# The program, with what it loads for traces beside it, on a base that has Node and the libraries it needs, and no shell.
# `npm run image` builds it with the right version in its labels.

# Node 24 or newer, as /nodejs/bin/node. By a tag, so that a new build has what was mended since; whoever wants to have
# the same bytes again gives a digest: --build-arg BASE=NAME@sha256:…
ARG BASE=gcr.io/distroless/nodejs24-debian13:nonroot
# Node 24 or newer with npm and a shell. Nothing of it is left in the end.
ARG BUILDER=docker.io/library/node:24-trixie-slim

FROM ${BUILDER} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
ARG COMMIT=unknown
RUN GRAPHWARDEN_COMMIT="$COMMIT" npm run --silent build
# What the next stage takes as it is. The first line of the program finds Node where the base has it.
RUN mkdir -p image/app image/usr/local/bin \
    && cp dist/graphwarden.mjs dist/graphwarden-tracing.mjs dist/graphwarden.cdx.json dist/THIRD-PARTY-NOTICES.txt LICENSE image/app/ \
    && sed -i '1s|^#!.*$|#!/nodejs/bin/node|' image/app/graphwarden.mjs \
    && ln -s /app/graphwarden.mjs image/usr/local/bin/graphwarden \
    && chmod -R u=rwX,go=rX image \
    && mkdir state

FROM ${BASE}
ARG VERSION=0.0.0
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="graphwarden" \
      org.opencontainers.image.description="Prometheus exporter, service-status tracker, alerter and query guard for graph database clusters" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/graphwarden/graphwarden" \
      org.opencontainers.image.documentation="https://github.com/graphwarden/graphwarden/blob/main/docs/install.md" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${COMMIT}"
COPY --from=build --chown=0:0 /build/image/ /
# A volume that is mounted here takes its owner over. The rest may be read-only.
COPY --from=build --chown=65532:65532 /build/state/ /var/lib/graphwarden/
WORKDIR /var/lib/graphwarden
# By number, so that Kubernetes can see that it is not root.
USER 65532:65532
EXPOSE 9916
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
    CMD ["/usr/local/bin/graphwarden", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/graphwarden"]
CMD ["run", "--config", "/etc/graphwarden/graphwarden.yml"]
