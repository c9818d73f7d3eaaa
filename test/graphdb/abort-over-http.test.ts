import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { type FaultName, faultNames } from '../../src/simulator/faults/fault.ts';
import type { SimulatorOptions } from '../../src/simulator/options.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { factsOf, neverAborted } from '../support/client.ts';
import { listen } from '../support/reusable-port.ts';
import { eventually } from '../support/tcp-server.ts';
import { bearer, type GuardedNode, type GuardedOptions, guardedNode } from './guarded-node.ts';

interface Scene extends GuardedNode {
  readonly simulator: Simulator;
  /** Of a query in the graph `fraud` on the first node, where it is not alone. */
  readonly id: string;
  /** Requests on the path of aborts, on all nodes. */
  readonly requested: () => readonly string[];
  /** Requests the process list, and aborts the query. */
  readonly listAndAbort: () => Promise<string>;
}

/** A guarded way to the first of two simulated nodes; it ends with the test. */
async function setup(options: SimulatorOptions = {}, way: GuardedOptions = {}): Promise<Scene> {
  const simulator = await startSimulator({ nodes: 2, ...options }, { listen, clock: systemClock });
  const start = (node: string) => simulator.control.startQuery({ node, graph: 'fraud', query: 'x', runsFor: 60_000 });
  const [query] = [start('m1'), start('m1'), start('m2')];
  const id = query?.requestId ?? '';
  const guarded = guardedNode(simulator.nodes[0]?.url ?? '', way);
  onTestFinished(async () => {
    await guarded.node.close();
    await simulator.close();
  });
  return {
    ...guarded,
    simulator,
    id,
    requested: () =>
      simulator.calls().flatMap(({ node, path }) => (path.includes('/abortquery') ? [`${node} ${path}`] : [])),
    async listAndAbort() {
      factsOf(await guarded.node.db.processListAll(neverAborted()));
      const reply = await guarded.node.abort({ id, graph: 'fraud', ...guarded.target() }, neverAborted());
      return reply.kind === 'accepted' ? `accepted ${reply.aborted.join()}` : reply.kind;
    },
  };
}

describe('an abort over HTTP', () => {
  it.each([
    ['4.1.2', '/restpp/abortquery/fraud'],
    ['3.9.3', '/abortquery/fraud'],
  ])('ends the one query, in the form of %s', async (version, path) => {
    const { simulator, id, requested, listAndAbort, node, received } = await setup({ version });
    expect(await listAndAbort()).toBe(`accepted ${id}`);
    expect(simulator.aborts()).toMatchObject([{ node: 'm1', requestId: id }]);
    expect(requested()).toEqual([`m1 ${path}`]);
    expect([node.sockets(), received.at(-1)?.address]).toEqual([
      expect.any(Number),
      `127.0.0.1:${simulator.nodes[0]?.port}`,
    ]);
  });

  it('uses the connection of the list', async () => {
    const { listAndAbort, node } = await setup();
    await listAndAbort();
    expect(node.sockets()).toBe(1);
  });

  it('names no query if the query has ended, or is in another graph', async () => {
    const { simulator, id, node, target, listAndAbort } = await setup();
    const elsewhere = { id, graph: 'social' };
    factsOf(await node.db.processListAll(neverAborted()));
    expect(await node.abort({ ...elsewhere, ...target() }, neverAborted())).toEqual({
      kind: 'accepted',
      aborted: [],
    });
    simulator.control.abortQuery('m1', id);
    expect(await listAndAbort()).toBe('accepted ');
    expect(simulator.aborts()).toEqual([]);
  });

  it('is refused if the graph is unknown', async () => {
    const { id, node, target } = await setup();
    factsOf(await node.db.processListAll(neverAborted()));
    const reply = await node.abort({ id, graph: 'nowhere', ...target() }, neverAborted());
    expect(reply.kind).toBe('refused');
  });

  it('is sent only over the connection of the list', async () => {
    const { simulator, id, node, target, requested } = await setup();
    const { mayWrite } = target();
    const order = { id, graph: 'fraud', mayWrite };
    expect(await node.abort({ ...order, connection: 'c1' }, neverAborted())).toMatchObject({ kind: 'unsent' });
    factsOf(await node.db.processListAll(neverAborted()));
    for (const connection of ['c1', `${target().connection} `, '', `127.0.0.1:${simulator.nodes[0]?.port}`]) {
      expect(await node.abort({ ...order, connection }, neverAborted())).toMatchObject({ kind: 'unsent' });
    }
    expect(requested()).toEqual([]);
  });

  it('is not sent if the last check before its write fails', async () => {
    const { id, node, target, requested } = await setup();
    factsOf(await node.db.processListAll(neverAborted()));
    const order = { id, graph: 'fraud', ...target(), mayWrite: () => false };
    expect(await node.abort(order, neverAborted())).toMatchObject({ kind: 'unsent' });
    expect(requested()).toEqual([]);
  });

  it('is not sent if the cluster is not guarded, because no list has a connection', async () => {
    const { requested, listAndAbort, received } = await setup({}, { guarded: false });
    expect(await listAndAbort()).toBe('unsent');
    expect([requested(), received.map(({ connection }) => connection)]).toEqual([[], ['']]);
  });
});

describe('with two credentials', () => {
  const auth = { kind: 'bearer', token: 'for-reading-alone', abortToken: 'for-aborting-alone' } as const;
  const readAuth = bearer(auth.token);

  it('an abort sends the one for aborts, and a list the other one', async () => {
    const { id, listAndAbort } = await setup({ auth }, { settings: { readAuth, abortAuth: bearer(auth.abortToken) } });
    expect(await listAndAbort()).toBe(`accepted ${id}`);
  });

  it.each([
    ['that for reading', { readAuth, abortAuth: readAuth }],
    ['none', { readAuth }],
    ['a wrong one', { readAuth, abortAuth: bearer('wrong-altogether') }],
  ])('an abort with %s is refused, and not tried again', async (_what, settings) => {
    const { simulator, requested, listAndAbort } = await setup({ auth }, { settings });
    expect(await listAndAbort()).toBe('refused');
    expect([simulator.aborts(), requested().length]).toEqual([[], 1]);
  });
});

/** Faults of the informant's page change nothing about an abort. */
const harmless = ['duplicate_families', 'conflicting_families', 'nan_values', 'memory_unlimited', 'cpu_over_100'];
/** Result of each fault whose result is not `lost`. */
const expected: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...harmless, 'hostile_labels', 'clock_skew', 'entries_100k'].map((fault) => [fault, 'accepted']),
  ),
  ...Object.fromEntries([401, 403, 404, 408, 422, 429].map((status) => [`status_${status}`, 'refused'])),
  error_true_200: 'refused',
};

/** Faults that last until the client disconnects. */
const endless: readonly FaultName[] = ['hang_before_headers', 'hang_before_body', 'hang_within_body', 'slow_drip'];

/** A rejected request has no effect. */
const turnedAway = [401, 403, 404, 422, 429].map((status) => `status_${status}`);

describe('one request is received', () => {
  const faults = faultNames.filter((fault) => fault !== 'connection_refused');

  it.each(faults)('with the fault %s, and has the expected outcome', async (fault: FaultName) => {
    const { simulator, id, requested, node, target } = await setup();
    factsOf(await node.db.processListAll(neverAborted()));
    await simulator.control.injectFault(fault, { path: /abortquery/ });
    const cut = new AbortController();
    if (endless.includes(fault)) void eventually(() => requested().length > 0).then(() => cut.abort());
    const reply = await node.abort({ id, graph: 'fraud', ...target() }, cut.signal);
    expect(reply.kind).toBe(expected[fault] ?? 'lost');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(requested()).toEqual(['m1 /restpp/abortquery/fraud']);
    expect(simulator.aborts().map(({ requestId }) => requestId)).toEqual(turnedAway.includes(fault) ? [] : [id]);
  });
});
