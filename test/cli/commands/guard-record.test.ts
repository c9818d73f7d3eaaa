import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { listen } from '../../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../../src/simulator/simulator.ts';
import { freePort } from '../../support/free-port.ts';
import { frozenTime } from '../../support/frozen-time.ts';
import { configFile, type LivePorts, livePorts, temporaryFolder } from '../../support/live-ports.ts';

const { clock, openPool, lineFiles, through } = frozenTime();

async function simulated(): Promise<Simulator> {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock });
  onTestFinished(() => simulator.close());
  return simulator;
}

const gate = {
  any: [
    { queue_depth: '> 20', for: '2s' },
    { node_memory: '> 0.5', for: '2m' },
  ],
};
const policies = [
  { name: 'deep', when: { params: { query: 're:^[a-z_]*$' } } },
  { name: 'gate_value', when: { age: '> 1m' }, gate },
];

async function configured({ nodes }: Pick<Simulator, 'nodes'>, guard: object = {}): Promise<string> {
  const requested = nodes.map(({ name, url, hostId, instance }) => ({ name, url, host_id: hostId, instance }));
  const every = { interval: '1s', timeout: '1s' };
  return configFile({
    clusters: [{ name: 'prod', nodes: requested }],
    collectors: { queries: every, delayed_queries: every, metrics: every },
    guard,
  });
}

async function recorded(args: readonly string[], hook: (ports: LivePorts) => void = () => undefined) {
  const ports = { ...livePorts({ openPool, lineFiles }), clock };
  hook(ports);
  const code = await through(runCli(['guard', 'record', ...args], commands, ports));
  expect(ports.listeners('SIGINT')).toBe(0);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

async function eventsOf(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const text = await readFile(path, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('guard record', () => {
  it('writes process lists and gate values for the requested time', async () => {
    const simulator = await simulated();
    const out = join(await temporaryFolder(), 'tape.jsonl');
    const config = await configured(simulator, { policies });
    const { code, out: said, error } = await recorded(['--config', config, '--out', out, '--for', '30s']);
    expect([code, error]).toEqual([0, `recording prod to ${out}\n`]);
    expect(said).toMatch(/tape\.jsonl: \d\d lists in 30s, 0 failed\n$/);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const [header, ...events] = await eventsOf(out);
    expect(header).toMatchObject({
      cluster: 'prod',
      nodes: ['m1', 'm2'],
      instances: { m1: 'RESTPP_1_1', m2: 'RESTPP_1_2' },
      interval: 1000,
      graphs: ['fraud', 'social'],
      clauses: [{ param: 'query', patterns: ['re:^[a-z_]*$'] }],
      gates: ['queue_depth', 'queue_oldest', 'node_memory', 'node_cpu'],
    });
    const of = (event: string) => events.filter((one) => one.event === event);
    expect(new Set(of('listed').map(({ node }) => node))).toEqual(new Set(['m1', 'm2']));
    const sources = new Set(
      of('gate_value')
        .filter(({ value }) => typeof value === 'number')
        .map(({ source }) => source),
    );
    expect(sources).toEqual(new Set(['node_cpu', 'node_memory', 'queue_depth', 'queue_oldest']));
    expect(simulator.aborts()).toEqual([]);
  });

  it('requests only process lists without a gate, and ends with Ctrl-C', async () => {
    const simulator = await simulated();
    const out = join(await temporaryFolder(), 'tape.jsonl');
    const config = await configured(simulator, { policies: policies.slice(0, 1) });
    const { code, error } = await recorded(['--config', config, '--out', out], (ports) => {
      void clock.sleep(60_000).then(() => ports.signal('SIGINT'));
    });
    expect([code, error]).toEqual([0, `recording prod to ${out} until Ctrl-C\n`]);
    const [, ...events] = await eventsOf(out);
    expect(events.length).toBeGreaterThan(9);
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['listed']));
    const paths = new Set(simulator.calls().map(({ path }) => path));
    expect(paths).not.toContain('/restpp/showdelayedlistall');
    expect([...paths].filter((path) => path.includes('abort'))).toEqual([]);
  });

  it('does not overwrite an existing file unless requested', async () => {
    const out = join(await temporaryFolder(), 'precious');
    await writeFile(out, 'precious');
    const config = await configured(await simulated());
    const refused = await recorded(['--config', config, '--out', out]);
    expect(refused).toMatchObject({ code: 1, out: '', error: expect.stringContaining('use --force to overwrite it') });
    expect(await readFile(out, 'utf8')).toBe('precious');
    const forced = await recorded(['--config', config, '--out', out, '--for', '1m', '--force']);
    expect(forced.code).toBe(0);
    expect((await eventsOf(out))[0]).toMatchObject({ cluster: 'prod', clauses: [], gates: [] });
  });

  it('reports and records that no node returned a list', async () => {
    const out = join(await temporaryFolder(), 'tape.jsonl');
    const url = `http://127.0.0.1:${await freePort()}`;
    const config = await configFile({ clusters: [{ name: 'prod', nodes: [{ name: 'm1', url }] }] });
    const { code, error } = await recorded(['--config', config, '--out', out, '--for', '1m']);
    expect([code, error]).toEqual([
      1,
      expect.stringContaining(
        'graphwarden: no node returned a process list; run `graphwarden doctor` to find the cause\n',
      ),
    ]);
    const [header, failure] = await eventsOf(out);
    expect(header).toMatchObject({ graphs: [] });
    expect(failure).toMatchObject({ event: 'unlisted', node: 'm1', reason: 'unreachable' });
  });

  it('requires a cluster and a file', async () => {
    const clusters = [
      { name: 'prod', nodes: [{ name: 'm1', url: 'http://10.0.0.1:14240' }] },
      { name: 'test', nodes: [{ name: 'm1', url: 'http://10.0.0.2:14240' }] },
    ];
    const two = await configFile({ clusters });
    const misuses: readonly (readonly [readonly string[], string])[] = [
      [[], 'required option --out RECORDING not specified'],
      [['--out', 'x'], 'required option --config FILE not specified'],
      [['--config', two], 'required option --out RECORDING not specified'],
      [['--config', two, '--out', 'x', '--for', 'ever'], '--for must be a duration such as 1h'],
      [['--config', two, '--out', 'x', '--for', '0s'], '--for must be a duration such as 1h'],
      [['--config', two, '--out', 'x'], 'required option --cluster NAME not specified: one of prod, test'],
      [['--config', two, '--out', 'x', '--cluster', 'dev'], "unknown cluster 'dev': known clusters: prod, test"],
    ];
    for (const [args, message] of misuses) {
      const { code, error } = await recorded(args);
      expect([code, error.split('\n')[0]]).toEqual([2, `graphwarden: ${message}`]);
    }
    const bad = await configFile({ clusters: [] });
    expect(await recorded(['--config', bad, '--out', 'x'])).toMatchObject({ code: 2, out: '' });
  });
});
