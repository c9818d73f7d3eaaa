import { describe, expect, it } from 'vitest';
import { collectorSchema } from '../../../src/api/clusters.ts';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import type { OutgoingReply, RequestHandler } from '../../../src/kernel/listener.ts';
import { exampleOf } from '../../api/object-cases.ts';
import { freePort } from '../../support/free-port.ts';
import { livePorts } from '../../support/live-ports.ts';
import { fixedReply, serve } from '../../support/served-listener.ts';

const query = {
  cluster: 'prod',
  node: 'm1',
  state: 'running',
  id: '7.RESTPP_1_1.1790000000000.N',
  graph: 'fraud',
  query: 'ring_scan',
  kind: 'installed',
  ageSeconds: 75,
  grantedTimeoutSeconds: 3600,
  remainingSeconds: 3525,
  overdue: false,
  asOf: '2026-09-22T04:53:20.000Z',
  policy: null,
  matchesAt: null,
  earliestAbortAt: null,
  protected: null,
  mode: null,
  held: null,
  heldUntil: null,
};

const collector = exampleOf(collectorSchema);

function jsonOf(value: unknown): OutgoingReply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** A daemon that knows one query, and of one node that it gave no list. */
function daemon(requested: string[] = []): RequestHandler {
  return async ({ path, query: parameters }) => {
    requested.push(`${path}?${parameters.toString()}`);
    if (path === '/api/v1/queries') return jsonOf({ items: [query], total: 1, limit: 1000, offset: 0 });
    if (parameters.get('node') === 'mx') return jsonOf({ items: [], total: 0, limit: 1000, offset: 0 });
    const failing = { ...collector, node: 'm2', state: 'failing', reason: 'timeout' };
    const items = [failing, { ...collector, node: 'm2', collector: 'delayed_queries' }];
    return jsonOf({ items, total: items.length, limit: 1000, offset: 0 });
  };
}

async function shown(...args: readonly string[]): Promise<{ code: number; out: string; error: string }> {
  const ports = livePorts();
  const code = await runCli(['queries', ...args], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

describe('queries', () => {
  it('are a table, with a note about missing data', async () => {
    const { code, out, error } = await shown('--url', (await serve(daemon())).url);
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain('1:15  58:45  ring_scan  m1    7.RESTPP_1_1.1790000000000.N  running  fraud');
    expect(out).toMatch(/\nno data: m2 \(queries: timeout\)\n$/);
  });

  it('are JSON for scripts', async () => {
    const { out, error } = await shown('--json', '--url', (await serve(daemon())).url);
    expect(JSON.parse(out)).toEqual([query]);
    expect(error).toBe('no data: m2 (queries: timeout)\n');
  });

  it('can be filtered', async () => {
    const requested: string[] = [];
    const { url } = await serve(daemon(requested));
    await shown('--url', url, '--cluster', 'prod', '--node', 'm1', '--graph', 'fraud', '--query', 'ring_scan');
    expect(requested[0]).toBe('/api/v1/queries?limit=1000&cluster=prod&node=m1&graph=fraud&query=ring_scan');
    expect(requested.slice(1)).toEqual(['/api/v1/collectors?cluster=prod&node=m1&limit=1000&offset=0']);
  });

  it('are unknown, not none, if no list is current', async () => {
    const failing = ['m1', 'm2'].map((node) => ({ ...collector, node, state: 'failing', reason: 'unreachable' }));
    const { url } = await serve(async ({ path }) => {
      const items = path === '/api/v1/queries' ? [] : failing;
      return jsonOf({ items, total: items.length, limit: 1000, offset: 0 });
    });
    const { out } = await shown('--url', url);
    expect(out).toMatch(/^queries unknown: no query list is current\nno data: m1 \(.*: unreachable\), m2 /);
    expect(out).not.toMatch(/0 running|no queries/);
  });

  it('of a node that is not configured are unknown', async () => {
    const { out } = await shown('--node', 'mx', '--url', (await serve(daemon())).url);
    expect(out).toMatch(
      /\nno data: queries \(not polled by this daemon\), delayed_queries \(not polled by this daemon\)\n$/,
    );
  });

  it('are an error if the daemon does not return them', async () => {
    const unreachable = await shown('--url', `http://127.0.0.1:${await freePort()}`);
    expect(unreachable).toMatchObject({ code: 1, out: '', error: expect.stringMatching(/^graphwarden: /) });
    const { url } = await serve(fixedReply({ body: '{"items":7}' }));
    expect(await shown('--url', url)).toMatchObject({
      code: 1,
      error: expect.stringContaining('response of the daemon at items'),
    });
  });
});

async function runWatch(url: string, ...args: readonly string[]): Promise<{ code: number; out: string }> {
  const ports = livePorts();
  const sleeps: number[] = [];
  const clock: typeof ports.clock = {
    ...ports.clock,
    now: () => ({ wall: Date.UTC(2026, 8, 22, 4, 53, 20), mono: 0 }),
    sleep: async (length, signal) => {
      // Time-outs of calls shall not come true; the pauses between two looks shall not be waited for.
      if (length > 5000) return new Promise((resolve) => signal?.addEventListener('abort', () => resolve()));
      sleeps.push(length);
      if (sleeps.length === 2) ports.signal('SIGINT');
    },
  };
  const code = await runCli(['queries', '--watch', '--url', url, ...args], commands, { ...ports, clock });
  expect(sleeps).toEqual([2000, 2000]);
  expect(ports.listeners('SIGINT')).toBe(0);
  return { code, out: ports.stdout.text() };
}

describe('queries --watch', () => {
  it('refreshes until it receives a stop signal', async () => {
    const { code, out } = await runWatch((await serve(daemon())).url);
    expect(code).toBe(0);
    expect(out.split('04:53:20 UTC\n\n1 running, 0 delayed in the current lists\n')).toHaveLength(3);
  });

  it('prints one line of JSON per refresh for scripts', async () => {
    const { out } = await runWatch((await serve(daemon())).url, '--json');
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([[query], [query]]);
  });

  it('ends when its output is closed', async () => {
    const ports = livePorts();
    ports.stdout.breakOff();
    const { url } = await serve(daemon());
    expect(await runCli(['queries', '--watch', '--url', url], commands, ports)).toBe(0);
  });

  it('continues while the daemon is unreachable', async () => {
    const { code, out } = await runWatch(`http://127.0.0.1:${await freePort()}`);
    expect(code).toBe(0);
    expect(out.match(/04:53:20 UTC\n\n\S/g)).toHaveLength(2);
  });
});
