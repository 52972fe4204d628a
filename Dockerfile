# Two images from one build: `analyzer` (the default, last stage) and `app`, the example of examples/support-desk.
FROM node:20-slim AS build
WORKDIR /app
COPY . .
RUN npm ci && node scripts/build.mjs

# The example with the instrumentation: what a team's own image would hold, plus one --import.
FROM node:20-slim AS app
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app /app
RUN npm prune --omit=dev
WORKDIR /app/examples/support-desk
USER node
CMD ["node", "--import", "@seamtrace/instrumentation/register", "src/app.js"]

# What the command line needs at run time, and nothing of the example, the tests or the tools.
FROM node:20-slim AS production-dependencies
WORKDIR /app
COPY --from=build /app/package.json /app/package-lock.json /app/.npmrc ./
COPY --from=build /app/packages packages
RUN npm ci --omit=dev --workspace packages/cli

FROM node:20-slim AS analyzer
ENV NODE_ENV=production
WORKDIR /app
COPY --from=production-dependencies /app /app
USER node
EXPOSE 4318 9464
# /healthz answers while the process works; readiness is /readyz.
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9464/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/packages/cli/bin/seamtrace.js"]
# In a container loopback reaches nobody, so the default here is every address of the container.
CMD ["serve", "--otlp-http", "0.0.0.0:4318", "--admin", "0.0.0.0:9464"]
