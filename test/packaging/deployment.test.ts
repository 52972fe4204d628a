import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ANALYZER_DEFAULTS } from '@seamtrace/analyzer';
import { METRICS } from '@seamtrace/semconv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

// What can be known about the deployment files without an engine to run them.
const root = fileURLToPath(new URL('../../', import.meta.url));
const text = (file: string) => readFileSync(path.join(root, file), 'utf8');
const yaml = (file: string) => parse(text(file)) as Any;
// The shape of these files is the tests' subject; a type would only repeat it.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Any = any;

const compose = yaml('docker-compose.yml');
const collector = yaml('otel-collector-config.yaml');
const dockerfile = text('Dockerfile').split('\n');
const otlpPort = String(ANALYZER_DEFAULTS.otlpHttp.port);
const grpcPort = String(ANALYZER_DEFAULTS.otlpGrpc.port);
const adminPort = String(ANALYZER_DEFAULTS.admin.port);

describe('docker-compose.yml', () => {
  it('has the chain from app to Grafana', () => {
    expect(Object.keys(compose.services)).toEqual(['app', 'collector', 'analyzer', 'prometheus', 'grafana']);
  });

  it('mounts only what is in the repository', () => {
    for (const service of Object.values<Any>(compose.services)) {
      for (const volume of service.volumes ?? []) {
        const [from] = String(volume).split(':');
        if (Object.hasOwn(compose.volumes, from ?? '')) continue;
        expect(existsSync(path.join(root, from ?? '')), volume).toBe(true);
      }
    }
  });

  it('waits only for services that exist, and for health only where there is a health check', () => {
    for (const service of Object.values<Any>(compose.services)) {
      const waits = service.depends_on ?? {};
      for (const name of Array.isArray(waits) ? waits : Object.keys(waits)) {
        expect(compose.services).toHaveProperty(name);
        if (waits[name]?.condition === 'service_healthy')
          expect(stages()).toContain(compose.services[name].build.target);
      }
    }
    expect(dockerfile.some((line) => line.startsWith('HEALTHCHECK'))).toBe(true);
  });

  it('publishes ports on loopback only', () => {
    const ports = Object.values<Any>(compose.services).flatMap((service) => service.ports ?? []);
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  it('builds stages that the Dockerfile has', () => {
    const targets = Object.values<Any>(compose.services).flatMap((service) => service.build?.target ?? []);
    expect(targets).toEqual(['app', 'analyzer']);
    for (const target of targets) expect(stages()).toContain(target);
  });

  it('pins every image to a version', () => {
    const images = Object.values<Any>(compose.services).flatMap((service) => service.image ?? []);
    expect(images).toHaveLength(3);
    for (const image of images) expect(image).toMatch(/:v?\d+\.\d+\.\d+$/);
  });

  it('binds the analyzer where the other containers and the published port can reach it', () => {
    const command = compose.services.analyzer.command as string[];
    expect(after(command, '--otlp-http')).toBe(`0.0.0.0:${otlpPort}`);
    expect(after(command, '--otlp-grpc')).toBe(`0.0.0.0:${grpcPort}`);
    expect(after(command, '--admin')).toBe(`0.0.0.0:${adminPort}`);
    expect(compose.services.analyzer.ports).toEqual([`127.0.0.1:${adminPort}:${adminPort}`]);
    const mounted = (compose.services.analyzer.volumes as string[]).map((volume) => volume.split(':')[1]);
    expect(mounted).toContain(after(command, '--contracts'));
  });

  it('keeps the journal in a named volume, where the image has it', () => {
    expect(compose.services.analyzer.volumes).toContain(`seamtrace-data:${dataDirectory()}`);
    expect(Object.keys(compose.volumes)).toEqual(['seamtrace-data']);
    expect(compose.services.analyzer.environment?.SEAMTRACE_DATA).toBeUndefined();
    expect(compose.services.analyzer.command).not.toContain('--data');
  });

  it('waits longer for a stop than the analyzer takes', () => {
    const grace = Number.parseInt(compose.services.analyzer.stop_grace_period as string, 10);
    expect(grace * 1000).toBeGreaterThan(ANALYZER_DEFAULTS.stopTimeoutMs);
  });

  it('points the app at the collector, the collector at its own file', () => {
    const { app, collector: service } = compose.services;
    expect(app.environment.OTEL_EXPORTER_OTLP_ENDPOINT).toBe('http://collector:4318');
    const inImage = String(app.environment.SEAMTRACE_CONTRACTS).replace(/^\/app\//, '');
    expect(existsSync(path.join(root, inImage))).toBe(true);
    const [config] = service.command as string[];
    expect(service.volumes).toContain(`./otel-collector-config.yaml:${config?.split('=')[1]}:ro`);
  });
});

describe('otel-collector-config.yaml', () => {
  const pipeline = collector.service.pipelines['traces/agents'];

  it('uses only what it configures, and configures nothing that it does not use', () => {
    for (const kind of ['receivers', 'processors', 'exporters']) {
      expect(Object.keys(collector[kind]).sort()).toEqual([...pipeline[kind]].sort());
    }
  });

  it('limits memory first, filters before it batches', () => {
    expect(pipeline.processors).toEqual(['memory_limiter', 'filter/agent-spans', 'batch']);
  });

  it('sends to the analyzer of the compose file, with retry and queue', () => {
    const exporter = collector.exporters['otlphttp/seamtrace'];
    expect(exporter.endpoint).toBe(`http://analyzer:${otlpPort}`);
    expect(exporter.retry_on_failure.enabled).toBe(true);
    expect(exporter.sending_queue.enabled).toBe(true);
  });

  it('listens where the compose file publishes it', () => {
    const { grpc, http } = collector.receivers.otlp.protocols;
    const bound = [grpc.endpoint, http.endpoint].map((endpoint: string) => endpoint.split(':')[1]);
    const published = (compose.services.collector.ports as string[]).map((port) => port.split(':')[2]);
    expect(bound).toEqual(published);
  });
});

describe('Dockerfile', () => {
  it('copies and runs only what is in the repository or built from it', () => {
    const started = dockerfile.filter((line) => /^(ENTRYPOINT|CMD|RUN)/.test(line)).join('\n');
    const files = [...started.matchAll(/(?:\/app\/)?((?:packages|scripts)\/[\w./-]+\.m?js)/g)].map(
      (match) => match[1] ?? '',
    );
    expect(files).toEqual(['scripts/build.mjs', 'packages/cli/bin/seamtrace.js']);
    for (const file of files) expect(existsSync(path.join(root, file)), file).toBe(true);
    for (const [, from] of dockerfile.join('\n').matchAll(/--from=([\w-]+)/g)) expect(stages()).toContain(from);
    expect(existsSync(path.join(root, 'examples/support-desk/src/app.js'))).toBe(true);
  });

  it('runs both images as a user without rights, and the analyzer last, as the default', () => {
    expect(dockerfile.filter((line) => line === 'USER node')).toHaveLength(2);
    expect(stages().at(-1)).toBe('analyzer');
  });

  it('asks for health where the analyzer answers', () => {
    expect(dockerfile.join('\n')).toContain(`http://127.0.0.1:${adminPort}/healthz`);
    expect(dockerfile).toContain(`EXPOSE ${grpcPort} ${otlpPort} ${adminPort}`);
  });

  it('starts with flags that the command line takes, on every port that it exposes', () => {
    const [, cmd = '[]'] = /^CMD (\["serve".*\])$/m.exec(text('Dockerfile')) ?? [];
    const command = JSON.parse(cmd) as string[];
    const bound = ['--otlp-grpc', '--otlp-http', '--admin'].map((flag) => after(command, flag));
    expect(bound).toEqual([grpcPort, otlpPort, adminPort].map((port) => `0.0.0.0:${port}`));
  });

  it('gives the data directory to the user of the process, before it is a volume', () => {
    const lines = dockerfile.slice(dockerfile.findIndex((line) => line.endsWith(' AS analyzer')));
    const made = lines.findIndex(
      (line) => line.startsWith('RUN install -d -o node -g node ') && line.endsWith(dataDirectory()),
    );
    expect(made).toBeGreaterThan(0);
    expect(lines.indexOf(`VOLUME ${dataDirectory()}`)).toBeGreaterThan(made);
    expect(lines.indexOf('USER node')).toBeGreaterThan(made);
  });

  it('does not leave out of the build context what the build needs', () => {
    const ignored = text('.dockerignore').split('\n').filter(Boolean);
    for (const needed of [
      'package.json',
      'package-lock.json',
      '.npmrc',
      'packages',
      'examples',
      'scripts',
      'tsconfig.json',
    ]) {
      expect(ignored).not.toContain(needed);
    }
  });
});

describe('deploy', () => {
  it('lets Prometheus scrape the analyzer', () => {
    const { scrape_configs: jobs } = yaml('deploy/prometheus/prometheus.yml');
    expect(jobs).toHaveLength(1);
    expect(jobs[0].static_configs[0].targets).toEqual([`analyzer:${adminPort}`]);
    expect(jobs[0].metrics_path ?? '/metrics').toBe('/metrics');
  });

  it('gives Prometheus its alerts, on metrics, labels and values that exist', () => {
    const { rule_files: files } = yaml('deploy/prometheus/prometheus.yml');
    expect(files).toEqual(['alerts.yml']);
    const mounted = compose.services.prometheus.volumes as string[];
    expect(mounted).toContain('./deploy/prometheus/alerts.yml:/etc/prometheus/alerts.yml:ro');
    const known = new Map(METRICS.map((metric) => [metric.prometheusName, metric]));
    const rules = yaml('deploy/prometheus/alerts.yml').groups.flatMap((group: Any) => group.rules) as Any[];
    expect(rules.length).toBeGreaterThan(0);
    for (const { alert, expr } of rules) {
      const [name = ''] = /seamtrace_\w+/.exec(expr) ?? [];
      expect(known.has(name), `${alert}: ${name}`).toBe(true);
      const labels = known.get(name)?.attributes.map(lastName) ?? [];
      const used = [...expr.matchAll(/(\w+)=~?"/g)].map(([, label]) => label);
      const grouped = [...expr.matchAll(/by \(([^)]+)\)/g)].flatMap(([, list]) => list.split(/,\s*/));
      for (const label of [...used, ...grouped]) expect(labels, `${alert}: ${label}`).toContain(label);
    }
  });

  it('gives Grafana the Prometheus and the dashboards that are mounted', () => {
    const { datasources } = yaml('deploy/grafana/provisioning/datasources/prometheus.yaml');
    expect(datasources[0].url).toBe('http://prometheus:9090');
    const { providers } = yaml('deploy/grafana/provisioning/dashboards/seamtrace.yaml');
    const mounts = (compose.services.grafana.volumes as string[]).map((volume) => volume.split(':'));
    expect(mounts.find(([, to]) => to === providers[0].options.path)?.[0]).toBe('./deploy/grafana/dashboards');
  });

  it('draws only metrics and labels that exist, from the data source that exists', () => {
    const known = new Map(METRICS.map((metric) => [metric.prometheusName, metric]));
    const files = readdirSync(path.join(root, 'deploy/grafana/dashboards'));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const dashboard = JSON.parse(text(`deploy/grafana/dashboards/${file}`)) as Any;
      for (const { title, targets } of dashboard.panels) {
        for (const { expr, datasource } of targets) {
          expect(datasource.uid, title).toBe('prometheus');
          const used = [...String(expr).matchAll(/seamtrace_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''));
          expect(used.length, title).toBeGreaterThan(0);
          for (const name of used) expect(known.has(name), `${title}: ${name}`).toBe(true);
          const labels = [...String(expr).matchAll(/by \(([^)]+)\)/g)].flatMap(([, list]) =>
            (list ?? '').split(/,\s*/),
          );
          const allowed = new Set(['le', ...used.flatMap((name) => known.get(name)?.attributes.map(lastName) ?? [])]);
          for (const label of labels) expect(allowed, `${title}: ${label}`).toContain(label);
        }
      }
    }
  });
});

function lastName(attribute: string): string {
  return attribute.split('.').at(-1) ?? attribute;
}

/** Where the image keeps the journal. */
function dataDirectory(): string {
  const [, directory = ''] = /^ENV SEAMTRACE_DATA=(\/\S+)$/m.exec(text('Dockerfile')) ?? [];
  expect(directory).not.toBe('');
  return directory;
}

function stages(): string[] {
  return dockerfile.flatMap((line) => /^FROM \S+ AS (\S+)$/.exec(line)?.[1] ?? []);
}

function after(command: readonly string[], flag: string): string | undefined {
  return command[command.indexOf(flag) + 1];
}
