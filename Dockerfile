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
# The journal. Made here and given to the user of the process: a new volume takes over owner and mode of what it covers.
RUN install -d -o node -g node -m 700 /var/lib/seamtrace
ENV SEAMTRACE_DATA=/var/lib/seamtrace
VOLUME /var/lib/seamtrace
USER node
EXPOSE 4317 4318 9464
# /healthz answers while the process works; readiness is /readyz. With TLS on the admin listener, give a check of your own.
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9464/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/packages/cli/bin/seamtrace.js"]
# In a container loopback reaches nobody, so the default here is every address of the container.
CMD ["serve", "--otlp-http", "0.0.0.0:4318", "--otlp-grpc", "0.0.0.0:4317", "--admin", "0.0.0.0:9464"]
