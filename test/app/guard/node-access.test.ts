import { describe, expect, it } from 'vitest';
import { createNodeAccess, toListInput } from '../../../src/app/guard/node-access.ts';
import type { NodeClient } from '../../../src/app/ports/app-dependencies.ts';
import { AbortTraces } from '../../../src/app/tracing/abort-traces.ts';
import { queries } from '../../../src/collect/queries.ts';
import type { AbortReply, AbortRequest } from '../../../src/graphdb/abort-reply.ts';
import type { Answer } from '../../../src/graphdb/graph-db.ts';
import type { AbortCommand } from '../../../src/guard/decision/output.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { collectorKey } from '../../../src/model/collector-key.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { seededRandom } from '../../../src/simulator/seeded-random.ts';
import { FakeClock } from '../../support/clock.ts';
import { RecordedSpans } from '../../support/recorded-spans.ts';
import { clusterOf, FakeClusters } from '../fakes.ts';

const mayWrite = () => true;
const never = new AbortController().signal;
const order: AbortCommand = {
  key: 'k',
  node: 'm2',
  connection: 'c2',
  id: 'i1',
  graph: 'fraud',
};

/** Node access to m1 and m2, whose replies a test sets. */
function reached(
  ways: {
    readonly down?: readonly string[];
    readonly graphs?: (node: string, signal: AbortSignal) => Answer<readonly string[]>;
  } = {},
) {
  const clock = new FakeClock();
  const settings = clusterOf('prod', ['m1', 'm2']);
  const cluster = new FakeClusters(clock).openCluster(settings, { bodyLimit: 1 });
  const nudged: (readonly [string, boolean])[] = [];
  const aborted: (readonly [string, AbortRequest])[] = [];
  const reply: AbortReply = { kind: 'accepted', aborted: ['i1'] };
  const members = settings.nodes.map((node) => {
    const link = cluster.node(node);
    const graphs = (signal: AbortSignal) => ways.graphs?.(node.name, signal) ?? link.db.graphs(signal);
    const abort: NodeClient['abort'] = async (request) => {
      aborted.push([node.name, request]);
      return reply;
    };
    return { settings: node, link: { ...link, abort, db: { ...link.db, graphs } } };
  });
  const scheduler = {
    async runNow(key: string, isUrgent: boolean) {
      nudged.push([key, isUrgent]);
      return isUrgent;
    },
  };
  const poller = { settings, nodes: () => members, nodesDown: () => new Set(ways.down) };
  return { clock, members, nudged, aborted, poller, scheduler, reach: createNodeAccess(poller, { scheduler, clock }) };
}

describe('the node access of the guard', () => {
  it('has no credentials while the connection of a node reports that', () => {
    const { members, poller, scheduler, clock } = reached();
    let isMissing = true;
    const links = members.map(({ settings, link }) => ({
      settings,
      link: { ...link, lacksAbortCredentials: () => isMissing },
    }));
    const reach = createNodeAccess({ ...poller, nodes: () => links }, { scheduler, clock });
    expect(reach.lacksCredentials()).toBe(true);
    isMissing = false;
    expect(reach.lacksCredentials()).toBe(false);
  });

  it('has the current nodes', () => {
    const { reach, members } = reached();
    expect(reach.nodes().map(({ name }) => name)).toEqual(['m1', 'm2']);
    members.pop();
    expect(reach.nodes().map(({ name }) => name)).toEqual(['m1']);
  });

  it('requests a list through the collector that polls it', async () => {
    const { reach, nudged } = reached();
    expect([await reach.requestList('m1', true), await reach.requestList('m2', false)]).toEqual([true, false]);
    const wanted = { cluster: 'prod', collector: 'queries' };
    expect(nudged).toEqual([
      [collectorKey({ ...wanted, node: 'm1' }), true],
      [collectorKey({ ...wanted, node: 'm2' }), false],
    ]);
  });

  it('sends an abort to its node only, with graph, id and connection only', async () => {
    const { reach, aborted } = reached();
    expect(await reach.abort(order, mayWrite, never)).toEqual({ kind: 'accepted', aborted: ['i1'] });
    expect(aborted).toEqual([['m2', { id: 'i1', graph: 'fraud', connection: 'c2', mayWrite: expect.any(Function) }]]);
  });

  it('writes no abort of a cluster whose lease ends within a second', async () => {
    const { aborted, poller, scheduler, clock } = reached();
    const lease = { left: 1001 };
    const ownership = { owns: () => true, remaining: () => lease.left };
    await createNodeAccess(poller, { scheduler, clock, ownership }).abort(order, mayWrite, never);
    const [, sent] = aborted[0] ?? [];
    expect(sent?.mayWrite()).toBe(true);
    lease.left = 1000;
    expect(sent?.mayWrite()).toBe(false);
  });

  it('adds trace context to an abort if tracing is enabled', async () => {
    const spans = new RecordedSpans();
    const { aborted, poller, scheduler, clock } = reached();
    const aborts = new AbortTraces({ clock, random: seededRandom(1), digest, spans, linked: () => undefined });
    expect(await createNodeAccess(poller, { scheduler, clock, aborts }).abort(order, mayWrite, never)).toMatchObject({
      kind: 'accepted',
    });
    expect(aborted).toMatchObject([['m2', { id: 'i1', graph: 'fraud', onCall: expect.any(Function) }]]);
    expect(spans.roots('abort query')).toHaveLength(1);
  });

  it('does not send an abort to a removed node', async () => {
    const { reach, aborted, members } = reached();
    members.pop();
    expect(await reach.abort(order, mayWrite, never)).toEqual({ kind: 'unsent', reason: 'the node was removed' });
    expect(aborted).toEqual([]);
  });
});

describe('the graphs of a cluster', () => {
  it.each<readonly [readonly string[], string]>([
    [[], 'm1'],
    [['m1'], 'm2'],
  ])('are requested from a node that is not down: not from %j', async (down, notifier) => {
    const { reach, clock } = reached({ down, graphs: async (node) => ok([`by_${node}`]) });
    expect(await reach.graphs()).toEqual([`by_${notifier}`]);
    expect(clock.sleeping).toBe(0);
  });

  it('are unknown if all nodes are down, or without a valid reply', async () => {
    const allDown = reached({ down: ['m1', 'm2'] });
    expect(await allDown.reach.graphs()).toBeUndefined();
    const failing = reached({ graphs: async () => err(failure('timeout', 'no answer')) });
    expect(await failing.reach.graphs()).toBeUndefined();
    expect([allDown.clock.sleeping, failing.clock.sleeping]).toEqual([0, 0]);
  });

  it('time out after ten seconds', async () => {
    const times: number[] = [];
    const { reach, clock } = reached({
      graphs: async (_, signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        times.push(clock.now().mono);
        return err(failure('timeout', 'no answer'));
      },
    });
    const found = reach.graphs();
    await clock.advance(20_000);
    expect(await found).toBeUndefined();
    expect(times).toEqual([10_000]);
  });
});

describe('the list input of the guard', () => {
  const instant = { wall: 7000, mono: 7 };
  const poll = { source: 'm1', started: instant, ended: instant };
  const feed = {
    cluster: 'prod',
    collector: 'queries',
    node: 'm1',
    definition: queries,
    labels: {},
    passthrough: false,
  };
  const raw = { body: {}, address: '', connection: 'c1', started: instant, received: instant };
  const list = ok({ graphs: [], queries: [], raw });
  const refused = err(failure('unreachable', 'refused'));

  it('has the processing time of the server, if it is known', () => {
    expect(toListInput(feed, { ...poll, result: list, listTime: 700 })).toMatchObject({
      kind: 'listed',
      listTime: 700,
    });
    expect(toListInput(feed, { ...poll, result: refused, listTime: 3 })).toMatchObject({
      kind: 'unlisted',
      listTime: 3,
    });
    expect(toListInput(feed, { ...poll, result: list })).not.toHaveProperty('listTime');
  });
});
