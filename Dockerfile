# `runtime`, which is built by default, is one image for server, worker, migrations and the operator's
# commands: the command names the program. `sandbox` adds the stand-ins for outside services and is
# never published for real installations. docs/operating.md describes their use;
# e2e/resilience/containers.spec.ts builds and runs both where there is a container engine.

# The Node that the checks run on.
ARG NODE_VERSION=20.20.2

FROM node:${NODE_VERSION}-bookworm-slim AS base
WORKDIR /app

# The build, with the development packages.
FROM base AS build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run -s build

# The files that run: ops/install.sh has the list.
FROM build AS installed
RUN ops/install.sh /installed

# The operator's commands with the client programs of the server's version, for dumps: the service
# `backup`. A new volume takes the owner of the folder that is made here.
FROM postgres:18.3-bookworm AS backup
WORKDIR /app
ENV NODE_ENV=production
COPY --from=base /usr/local/bin/node /usr/local/bin/node
COPY --from=installed /installed/node_modules ./node_modules
COPY package.json ./
COPY ops/postgres/backup.sh ./ops/postgres/
COPY --from=installed /installed/dist/programs ./dist/programs
COPY --from=installed /installed/dist/admin ./dist/admin
RUN mkdir -p /backups && chown postgres:postgres /backups
USER postgres
ENTRYPOINT ["bash", "/app/ops/postgres/backup.sh"]

# Server, worker, migrations and commands: the common part of both images.
FROM base AS programs
ENV NODE_ENV=production
# Address for the health check: another program sets its own port.
ENV HEALTH_URL=http://127.0.0.1:3000/readyz
# Clients reach a container by its own addresses.
ENV HOST=0.0.0.0
COPY --from=installed /installed ./
# The files belong to root, so the programs cannot change them. A new volume for files of messages
# takes the owner of the folder that is made here.
RUN mkdir -p /media && chown node:node /media
USER node
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(process.env.HEALTH_URL, { signal: AbortSignal.timeout(4000) }) \
    .then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

FROM programs AS sandbox
LABEL org.opencontainers.image.title="Pennytext sandbox" \
  org.opencontainers.image.description="Stand-ins for Twilio, Stripe, Google and a mail server" \
  org.opencontainers.image.licenses="MIT"
COPY --from=build /app/dist/sandbox/main.js ./dist/sandbox/
COPY --from=build /app/dist/sandbox/ui ./dist/sandbox/ui
EXPOSE 4000
CMD ["node", "dist/sandbox/main.js"]

FROM programs AS runtime
EXPOSE 3000 3001
CMD ["node", "dist/server/main.js"]
# Labels come last, because a new revision changes them and nothing above. docker-compose.yml passes
# PENNYTEXT_VERSION, PENNYTEXT_REVISION (git rev-parse HEAD) and PENNYTEXT_SOURCE.
ARG VERSION=local
ARG REVISION=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="Pennytext" \
  org.opencontainers.image.description="Pay-as-you-go SMS API: server, worker and operator commands" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.source="${SOURCE}"
