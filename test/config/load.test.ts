import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load.ts';
import { formatProblems } from '../../src/config/problems.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { matchersOf } from '../support/matchers-of.ts';
import { corpus, environment } from './corpus.ts';

function load(text: string, file = 'graphwarden.yml'): Config {
  const loaded = loadConfig(text, file, environment);
  if (!loaded.ok) throw new Error(formatProblems(loaded.error));
  return loaded.value;
}

function specimen(name: string): string {
  const found = corpus('corpus/good').find((one) => one.name === name);
  if (found === undefined) throw new Error(`no ${name} in the corpus`);
  return found.text;
}

/** Returns a configuration of one cluster with one node, with further keys. */
function minimal(more = '', cluster = ''): string {
  return `clusters:\n  - name: prod\n    nodes: [{ name: m1, url: "http://a:1" }]\n${cluster}${more}`;
}

describe('valid configurations', () => {
  it.each(corpus('corpus/good'))('loads $name', ({ name, text }) => {
    const loaded = loadConfig(text, name, environment);
    expect(loaded.ok ? '' : formatProblems(loaded.error)).toBe('');
  });

  it('has the defaults of the contract', () => {
    const config = load(specimen('minimal.yml'));
    expect(config).toMatchObject({
      listen: { host: '0.0.0.0', port: 9916 },
      operators: [],
      readers: [],
      scrapers: [],
      stateDir: './state',
      scope: 'all',
      log: { level: 'info', format: 'auto' },
      limits: {
        seriesPerFamily: 20_000,
        seriesPerCollector: 150_000,
        seriesPerPage: 300_000,
        labelValueBytes: 256,
        instanceNumber: 1000,
        body: 32 * 1024 * 1024,
      },
    });
    expect(config.clusters).toEqual([
      {
        name: 'prod',
        labels: {},
        nodes: [{ name: 'm1', url: 'http://10.0.0.1:14240' }],
        readAuth: { kind: 'none' },
        abortAuth: { kind: 'none' },
        informantAuth: { kind: 'none' },
        graphs: 'auto',
        serverVersion: 'auto',
        metricPrefix: 'auto',
      },
    ]);
    expect(config).not.toHaveProperty('externalUrl');
    expect(config).not.toHaveProperty('webConfigFile');
  });

  it.each([
    ['health', 5, 3],
    ['metrics', 15, 5],
    ['categories', 60, 5],
    ['services', 5, 3],
    ['statistics', 60, 5],
    ['queries', 5, 3],
    ['delayed_queries', 5, 3],
    ['workload_queues', 15, 5],
    ['license', 3600, 5],
  ])('polls %s every %d s with a timeout of %d s, and drops it after three intervals', (name, every, timeout) => {
    expect(load(minimal()).collectors[name]).toEqual({
      enabled: true,
      interval: every * 1000,
      timeout: timeout * 1000,
      staleAfter: 3 * every * 1000,
      passthrough: true,
    });
  });

  it('run the consistency checks by schedule, and only if enabled', () => {
    const week = 7 * 86_400_000;
    expect(load(minimal()).collectors.consistency).toEqual({
      enabled: false,
      interval: week,
      schedule: '0 3 * * SUN',
      timeout: 1_800_000,
      staleAfter: 3 * week,
      passthrough: true,
    });
    const daily = load(minimal('collectors: { consistency: { enabled: true, schedule: "0 3 * * *" } }'));
    expect(daily.collectors.consistency).toMatchObject({ enabled: true, interval: week / 7, schedule: '0 3 * * *' });
  });

  it('has every configured value', () => {
    const { clusters, collectors, alerts, ...rest } = load(specimen('everything.yml'), '/etc/graphwarden/main.yml');
    expect(rest).toEqual({
      custom: [],
      probes: [],
      warnings: [],
      unreadyOnRejectedConfig: true,
      listen: { host: '::1', port: 9916 },
      externalUrl: 'https://warden.example.org/graph',
      webConfigFile: '/etc/graphwarden/web.yml',
      operators: ['alice', 'bob'],
      readers: ['carol'],
      scrapers: ['prometheus'],
      web: {
        trustedProxies: ['10.0.0.5', 'fd00::/8'],
        userHeader: 'Remote-User',
        allowedHosts: ['warden.internal'],
        maxConnections: 256,
      },
      stateDir: '/var/lib/graphwarden',
      scope: 'all',
      log: { level: 'debug', format: 'json' },
      limits: {
        seriesPerFamily: 10,
        seriesPerCollector: 20,
        seriesPerPage: 30,
        labelValueBytes: 64,
        instanceNumber: 1000,
        body: 2 ** 20,
      },
      state: {
        retention: { transitions: 86_400_000, audit: 172_800_000, notifications: 259_200_000, size: 64 * 2 ** 20 },
      },
      telemetry: {
        traces: {
          endpoint: 'https://otlp.example.org:4318',
          headersFile: '/etc/graphwarden/otlp.txt',
          sample: 0.5,
          queries: false,
          incidents: false,
          cycles: false,
        },
        metrics: { endpoint: 'https://otlp.example.org:4318', interval: 30_000 },
      },
      tracker: {
        confirm: 3,
        confirmFor: 10_000,
        forget: 3_600_000,
        flapping: { window: 10, on: 0.5, off: 0.4, changes: 12 },
      },
      guard: {
        mode: 'enforce',
        protect: [{ query: [{ kind: 'glob', text: 'nightly_*' }] }],
        budgets: { perNode: { max: 1, within: 3_600_000 }, perCluster: { max: 2, within: 7_200_000 } },
        breakers: { sameQuery: { aborts: 1, within: 3_600_000 }, noRelief: { aborts: 1 } },
        recording: { enabled: true, maxSize: 67_108_864, maxAge: 86_400_000 },
        policies: [
          {
            name: 'idle',
            mode: 'observe',
            clusters: ['prod', 'lab'],
            when: { age: { operator: '>', value: 3_600_000 } },
            victims: { pick: 'oldest', max: 1 },
            confirm: { observations: 3, apart: 5000 },
            grace: 0,
            cooldown: 3_600_000,
            notify: [],
          },
        ],
      },
    });
    expect(clusters[0]).toEqual({
      name: 'prod',
      labels: { env: 'prod', region: 'eu-1' },
      nodes: [
        { name: 'm1', url: 'https://10.0.0.1:14240', hostId: 'm1', instance: 'RESTPP_1_1' },
        { name: 'm2', url: 'https://graph-2.example.org/behind/prefix' },
      ],
      readAuth: { kind: 'basic', username: 'monitor', password: { file: '/etc/graphwarden/pw' } },
      abortAuth: { kind: 'secret', secret: { file: '/run/secrets/abort' } },
      informantAuth: { kind: 'none' },
      tls: {
        caFile: '/etc/graphwarden/ca.pem',
        certFile: '/etc/graphwarden/c.pem',
        keyFile: '/etc/graphwarden/k.pem',
        serverName: 'graph',
        insecureSkipVerify: true,
      },
      graphs: ['Social', '_internal2'],
      serverVersion: '4.1',
      metricPrefix: 'svc_',
    });
    expect(clusters.slice(1).map(({ nodes, discover }) => ({ nodes, discover }))).toEqual([
      {
        nodes: [],
        discover: { kind: 'srv', name: '_nginx._tcp.graph-internal.db.svc', refreshInterval: 60_000, scheme: 'https' },
      },
      { nodes: [], discover: { kind: 'dns', name: 'graph.lab', port: 14240, refreshInterval: 30_000, scheme: 'http' } },
    ]);
    expect(collectors).toMatchObject({
      health: { interval: 10_000, timeout: 2_000, staleAfter: 60_000 },
      metrics: { passthrough: false },
      statistics: { enabled: false },
      consistency: { enabled: true, schedule: '*/30 1-5 1,15 JAN-JUN MON', timeout: 600_000 },
    });
    expect(alerts).toMatchObject({
      receivers: [
        {
          name: 'am',
          heartbeat: false,
          kind: 'alertmanager',
          options: { urls: ['http://am-0:9093', 'http://am-1:9093/am'] },
        },
        { name: 'oncall', kind: 'pagerduty', secrets: { routing_key: { file: '/etc/graphwarden/pd.key' } } },
        { name: 'chat', kind: 'slack', secrets: { webhook_url: { file: '/run/slack.url' } } },
        {
          name: 'hook',
          heartbeat: true,
          kind: 'webhook',
          secrets: { hmac_key: { value: new Secret('hunter-canary') } },
        },
        { name: 'snitch', heartbeat: true, kind: 'webhook', secrets: { url: { file: '/run/hook.url' } } },
        {
          name: 'mail',
          kind: 'email',
          options: { smtp: { host: 'mail', port: 465, secure: true }, username: 'u', to: ['c@d'] },
        },
      ],
      routes: [
        {
          matchers: matchersOf('severity="critical"'),
          receivers: ['oncall', 'am'],
          groupWait: 0,
          fallback: 'mail',
          continues: true,
        },
        {
          matchers: matchersOf('env=~"prod|pr.d"'),
          receivers: ['chat'],
          groupBy: ['cluster_name'],
          groupWait: 30_000,
          groupInterval: 600_000,
        },
        { matchers: [], receivers: [], groupInterval: 300_000 },
      ],
      maintenance: [{ name: 'sunday', days: [0], from: 120, to: 240, zone: 'Europe/Berlin' }],
      templates: { summary: '[{{severity}}] {{summary}}' },
    });
    expect(alerts.rules.memory_near_abort).toMatchObject({
      severity: 'warning',
      for: 300_000,
      labels: { team: 'graph' },
      thresholds: { below_free: 0.2, min_total: 64 * 2 ** 30 },
      templates: { description: 'Ask Ada.' },
    });
    expect(alerts.rules.service_flapping?.enabled).toBe(false);
  });

  it('stores an inline secret as a Secret, which is not printed', () => {
    const [, staging] = load(specimen('everything.yml')).clusters;
    const auth = staging?.readAuth;
    expect(JSON.stringify(auth)).toBe('{"kind":"bearer","token":{"value":"[secret]"}}');
    const token = auth?.kind === 'bearer' && 'value' in auth.token ? auth.token.value : new Secret('');
    expect(token.reveal()).toBe('hunter-canary');
  });

  it('expands references to the environment, and no similar text', () => {
    const [cluster] = load(specimen('environment.yml')).clusters;
    expect(cluster).toMatchObject({
      name: 'prod-eu',
      labels: { literal: '${CLUSTER}', price: '5$ {x}' },
      nodes: [{ name: 'm1', url: 'http://graph.example.org:14240' }],
    });
  });

  it('resolves anchors', () => {
    const [one, two] = load(specimen('anchors.yml')).clusters;
    expect(two?.readAuth).toEqual(one?.readAuth);
    expect(two?.tls).toEqual({ caFile: 'ca.pem', insecureSkipVerify: false });
  });

  it.each([
    ['secret: s3', { kind: 'secret', secret: { value: new Secret('s3') } }],
    ['bearer_token_file: t', { kind: 'bearer', token: { file: 't' } }],
    ['basic: { username: u, password: "" }', undefined],
    ['basic: { username: u, password: p }', { kind: 'basic', username: 'u', password: { value: new Secret('p') } }],
  ])('reads read_auth: { %s }', (text, expected) => {
    const loaded = loadConfig(minimal('', `    read_auth: { ${text} }\n`), 'f', {});
    expect(loaded.ok ? loaded.value.clusters[0]?.readAuth : undefined).toEqual(expected);
  });
});
