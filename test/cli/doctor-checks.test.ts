import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { doctorCalls, requestsOf, runDoctorChecks } from '../../src/cli/doctor-checks.ts';
import { type DoctorFinding, findingsTable, isFailing } from '../../src/cli/doctor-table.ts';
import { collectors } from '../../src/collect/all.ts';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load.ts';
import { formatProblems } from '../../src/config/problems.ts';
import type { IncomingRequest, OutgoingReply } from '../../src/kernel/listener.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { freePort } from '../support/free-port.ts';
import { livePorts, realWorld } from '../support/live-ports.ts';
import { fixedReply, serve } from '../support/served-listener.ts';

async function simulated(nodes = 2): Promise<Simulator> {
  const simulator = await startSimulator({ nodes }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  return simulator;
}

function configured(
  cluster: Readonly<Record<string, unknown>>,
  collectorSettings: object = {},
  limits: object = {},
  custom: readonly object[] = [],
): Config {
  const all = Object.fromEntries(collectors.map(({ name }) => [name, { enabled: true }]));
  const consistency = { enabled: true, schedule: '0 3 * * SUN', timeout: '5s' };
  const settings = {
    clusters: [{ name: 'prod', ...cluster }],
    collectors: {
      ...all,
      consistency,
      ...collectorSettings,
    },
    limits,
    custom,
  };
  const loaded = loadConfig(JSON.stringify(settings), 'test', {});
  if (!loaded.ok) throw new Error(formatProblems(loaded.error));
  return loaded.value;
}

/** The GSQL server requires a user. */
const user = {
  read_auth: { basic: { username: 'monitor', password: 'simulated' } },
  statements: { load: 'load.2' },
};

function nodesAt(urls: readonly string[]): { readonly nodes: readonly object[] } {
  return { nodes: urls.map((url, at) => ({ name: `m${at + 1}`, url })), ...user };
}

async function examined(config: Config): Promise<readonly DoctorFinding[]> {
  return runDoctorChecks(config, livePorts(), realWorld);
}

/** Collectors that fail without a user of the GSQL server. */
const gsqlCollectors = [
  'schema',
  'query_definitions',
  'loading_jobs',
  'data_sources',
  'user_functions',
  'optimizer_statistics',
  'users',
  'scim',
  'statements',
];

const everyCall = collectors.flatMap(({ name, calls }) => calls.flatMap(requestsOf).map((call) => `${name} ${call}`));

function said(findings: readonly DoctorFinding[]): readonly string[] {
  return findings.map(({ collector, call }) => `${collector} ${call}`);
}

it('doctor checks every call of every collector', () => {
  for (const { calls } of collectors) {
    for (const call of calls.flatMap(requestsOf)) expect(doctorCalls).toHaveProperty(call);
  }
});

describe('a server that has everything', () => {
  it('passes every call on every node, and heavy calls on the first node only', async () => {
    const { nodes } = await simulated(2);
    const findings = await examined(configured(nodesAt(nodes.map(({ url }) => url))));
    expect(findings.filter(({ reason }) => reason !== 'works')).toEqual([]);
    const [first, second] = ['m1', 'm2'].map((name) => said(findings.filter(({ node }) => node === name)));
    expect(first).toEqual(everyCall);
    expect(second).toEqual(everyCall.filter((call) => !/^(?:consistency|rebuild) /.test(call)));
  });

  it('gets requests of enabled collectors only', async () => {
    const { nodes } = await simulated(1);
    const others = collectors.filter(({ name }) => name !== 'health').map(({ name }) => [name, { enabled: false }]);
    const config = configured(nodesAt(nodes.map(({ url }) => url)), Object.fromEntries(others));
    expect(said(await examined(config))).toEqual([
      'health ping',
      'health echo',
      'health restppVersion',
      'health gsqlVersion',
    ]);
  });
});

describe('the limits of the configuration', () => {
  it('that would drop series are found before the daemon runs, in all clusters', async () => {
    const { nodes } = await simulated(2);
    const urls = nodesAt(nodes.map(({ url }) => url));
    const findings = await examined(configured(urls, {}, { series_per_family: 3 }));
    const dropping = findings.filter(({ reason }) => reason !== 'works');
    expect(dropping).toMatchObject([{ cluster: 'prod', node: '*', call: 'series', reason: 'series_dropped' }]);
    expect(dropping[0]?.advice).toMatch(/^limits\.series_per_family drops \d+ series, at least: \w+/);
    expect(dropping.some(isFailing)).toBe(false);
    expect(findingsTable(findings)).toMatch(
      /prod\/\* +\* +series +series dropped +0 ms +limits\.series_per_family drops /,
    );
  });
});

describe.each([
  ['lacks everything', 404, 'unsupported'],
  ['refuses everything', 403, 'auth'],
  ['is broken', 500, 'status'],
])('a server that %s', (_, status, reason) => {
  it(`is ${reason} for every call of every collector`, async () => {
    const { url } = await serve(fixedReply({ status, headers: { 'content-type': 'application/json' }, body: '{}' }));
    const findings = await examined(configured({ ...nodesAt([url]), graphs: ['fraud'] }));
    const requested = findings.filter(({ call }) => call !== 'graphs');
    expect(said(requested)).toEqual(everyCall.filter((call) => !call.endsWith(' graphs')));
    expect(requested.filter((finding) => finding.reason !== reason || finding.tolerated)).toEqual([]);
    for (const { advice, fix } of requested) {
      expect(advice).toContain(String(status));
      // The server denies even requests that need no privilege.
      expect(fix).not.toContain('GRANT');
    }
  });
});

it('a custom query that is not installed is not found, and the fix names its keys', async () => {
  const { url } = await serve(fixedReply({ status: 404, headers: { 'content-type': 'application/json' }, body: '{}' }));
  const disabled = Object.fromEntries(collectors.map(({ name }) => [name, { enabled: false }]));
  const metrics = [{ name: 'ring_accounts', type: 'gauge', help: 'Accounts.', value: 'accounts' }];
  const config = configured(nodesAt([url]), disabled, {}, [{ name: 'rings', graph: 'fraud', query: 'rings', metrics }]);
  const fix = 'Install the query, or correct graph or query of the custom query rings.';
  expect(await examined(config)).toMatchObject([{ collector: 'custom_rings', reason: 'not_found', fix }]);
});

it('a node that does not listen is unreachable, and does not affect other nodes', async () => {
  const { nodes } = await simulated(1);
  const urls = [`http://127.0.0.1:${await freePort()}`, ...nodes.map(({ url }) => url)];
  const findings = await examined(configured(nodesAt(urls), { consistency: { enabled: false } }));
  expect(new Set(findings.filter(({ node }) => node === 'm1').map(({ reason }) => reason))).toEqual(
    new Set(['unreachable']),
  );
  expect(findings.filter(({ node, reason }) => node === 'm2' && reason !== 'works')).toEqual([]);
});

it('a missing credential is not reported as a missing privilege', async () => {
  const { nodes } = await simulated(1);
  const cluster = { ...nodesAt(nodes.map(({ url }) => url)), read_auth: { bearer_token_file: '/no/such/token' } };
  const findings = await examined(configured(cluster, { consistency: { enabled: false } }));
  const echo = findings.find(({ call }) => call === 'echo');
  expect(echo).toMatchObject({ reason: 'no_credential', tolerated: false });
  expect(echo?.advice).toMatch(/^GET .*: the secret is not available: cannot read '\/no\/such\/token': no such file$/);
  expect(new Set(findings.map(({ reason }) => reason))).toEqual(new Set(['works', 'no_credential']));
});

it('shows each version call, and tolerates that the GSQL server requires a user', async () => {
  const { nodes } = await simulated(1);
  const config = configured(
    { ...nodesAt(nodes.map(({ url }) => url)), read_auth: undefined },
    Object.fromEntries(gsqlCollectors.map((name) => [name, { enabled: false }])),
  );
  expect((await examined(config)).filter(({ reason }) => reason !== 'works')).toMatchObject([
    { collector: 'health', call: 'gsqlVersion', reason: 'auth', tolerated: true },
  ]);
});

it('a failed optional call of a collector is tolerated', async () => {
  const simulator = await simulated(1);
  const [node] = simulator.nodes;
  const through = await serve(async (incoming) =>
    incoming.path.endsWith('/showprocesslistall') ? { status: 403, body: '{}' } : passOn(incoming, node?.url ?? ''),
  );
  const findings = await examined(configured(nodesAt([through.url])));
  expect(findings.filter(({ reason }) => reason !== 'works')).toMatchObject([
    { collector: 'queries', call: 'processListAll', reason: 'auth', tolerated: true },
  ]);
});

describe('discovered nodes', () => {
  const discover = { dns: 'db.example', port: 14240 };

  it('are looked up', async () => {
    const { nodes } = await simulated(1);
    const port = Number(new URL(nodes[0]?.url ?? '').port);
    const dns = { ...realWorld.dns, addresses: async () => ok(['127.0.0.1']) };
    const config = configured({ discover: { ...discover, port }, ...user });
    const findings = await runDoctorChecks(config, livePorts(), { ...realWorld, dns });
    expect(new Set(findings.map(({ node, reason }) => `${node} ${reason}`))).toEqual(new Set(['127.0.0.1 works']));
  });

  it('that are not found are one finding', async () => {
    const dns = { ...realWorld.dns, addresses: async () => err("cannot look up 'db.example': no such name") };
    expect(await runDoctorChecks(configured({ discover }), livePorts(), { ...realWorld, dns })).toMatchObject([
      { collector: 'discovery', reason: 'unreachable', advice: "cannot look up 'db.example': no such name" },
    ]);
  });
});

async function passOn(incoming: IncomingRequest, origin: string): Promise<OutgoingReply> {
  const { 'content-type': type = '', authorization = '' } = incoming.headers;
  const post = incoming.method === 'POST';
  const reply = await request(`${origin}${incoming.path}?${incoming.query.toString()}`, {
    method: post ? 'POST' : 'GET',
    headers: { 'content-type': type, authorization },
    body: post ? await incoming.text(10_000) : null,
  });
  const headers = { 'content-type': String(reply.headers['content-type']) };
  return { status: reply.statusCode, headers, body: await reply.body.text() };
}
