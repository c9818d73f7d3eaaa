import { describe, expect, it } from 'vitest';
import { AbortTraces } from '../../src/app/abort-traces.ts';
import { reachOf } from '../../src/app/guard-reach.ts';
import type { NodeLink } from '../../src/app/parts.ts';
import { taskKey } from '../../src/app/task.ts';
import type { AbortReply, AbortRequest } from '../../src/graphdb/abort-reply.ts';
import type { Answer } from '../../src/graphdb/graph-db.ts';
import type { AbortOrder } from '../../src/guard/decision/output.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { digest } from '../../src/runtime/digest.ts';
import { seededRandom } from '../../src/simulator/chance.ts';
import { FakeClock } from '../support/clock.ts';
import { SpanBook } from '../support/span-book.ts';
import { clusterOf, World } from './fakes.ts';

const never = new AbortController().signal;
const order: AbortOrder = {
  key: 'k',
  node: 'm2',
  address: '10.0.0.2:1',
  id: 'i1',
  graph: 'fraud',
  path: '/abortquery/fraud?requestid=i1',
};

/** The way to nodes m1 and m2, which do as a test says. */
function reached(
  ways: {
    readonly down?: readonly string[];
    readonly graphs?: (node: string, signal: AbortSignal) => Answer<readonly string[]>;
  } = {},
) {
  const clock = new FakeClock();
  const settings = clusterOf('prod', ['m1', 'm2']);
  const cluster = new World(clock).openCluster(settings, { bodyLimit: 1 });
  const nudged: (readonly [string, boolean])[] = [];
  const aborted: (readonly [string, AbortRequest])[] = [];
  const reply: AbortReply = { kind: 'taken', aborted: ['i1'] };
  const members = settings.nodes.map((node) => {
    const link = cluster.node(node);
    const graphs = (signal: AbortSignal) => ways.graphs?.(node.name, signal) ?? link.db.graphs(signal);
    const abort: NodeLink['abort'] = async (request) => {
      aborted.push([node.name, request]);
      return reply;
    };
    return { settings: node, link: { ...link, abort, db: { ...link.db, graphs } } };
  });
  const scheduler = {
    async nudge(key: string, isUrgent: boolean) {
      nudged.push([key, isUrgent]);
      return isUrgent;
    },
  };
  const watch = { settings, nodes: () => members, down: () => new Set(ways.down) };
  return { clock, members, nudged, aborted, watch, scheduler, reach: reachOf(watch, { scheduler, clock }) };
}

describe('the reach of the guard', () => {
  it('has the nodes that there are at present', () => {
    const { reach, members } = reached();
    expect(reach.nodes().map(({ name }) => name)).toEqual(['m1', 'm2']);
    members.pop();
    expect(reach.nodes().map(({ name }) => name)).toEqual(['m1']);
  });

  it('asks for a list by way of the collector that asks for it anyhow', async () => {
    const { reach, nudged } = reached();
    expect([await reach.list('m1', true), await reach.list('m2', false)]).toEqual([true, false]);
    const queries = { cluster: 'prod', collector: 'queries' };
    expect(nudged).toEqual([
      [taskKey({ ...queries, node: 'm1' }), true],
      [taskKey({ ...queries, node: 'm2' }), false],
    ]);
  });

  it('gives an abort to its node alone, with where and what alone', async () => {
    const { reach, aborted } = reached();
    expect(await reach.abort(order, never)).toEqual({ kind: 'taken', aborted: ['i1'] });
    expect(aborted).toEqual([['m2', { path: order.path, address: order.address }]]);
  });

  it('lets an abort be followed, where somebody traces', async () => {
    const book = new SpanBook();
    const { aborted, watch, scheduler, clock } = reached();
    const aborts = new AbortTraces({ clock, random: seededRandom(1), digest, spans: book, linked: () => undefined });
    expect(await reachOf(watch, { scheduler, clock, aborts }).abort(order, never)).toMatchObject({ kind: 'taken' });
    expect(aborted).toMatchObject([['m2', { path: order.path, called: expect.any(Function) }]]);
    expect(book.roots('abort query')).toHaveLength(1);
  });

  it('sends nothing to a node that is gone', async () => {
    const { reach, aborted, members } = reached();
    members.pop();
    expect(await reach.abort(order, never)).toEqual({ kind: 'unsent', reason: 'the node is gone' });
    expect(aborted).toEqual([]);
  });
});

describe('the graphs of a cluster', () => {
  it.each<readonly [readonly string[], string]>([
    [[], 'm1'],
    [['m1'], 'm2'],
  ])('are told by a node that is not down: of %j not', async (down, teller) => {
    const { reach, clock } = reached({ down, graphs: async (node) => ok([`by_${node}`]) });
    expect(await reach.graphs()).toEqual([`by_${teller}`]);
    expect(clock.sleeping).toBe(0);
  });

  it('are not known where all nodes are down, or the answer is none', async () => {
    const allDown = reached({ down: ['m1', 'm2'] });
    expect(await allDown.reach.graphs()).toBeUndefined();
    const failing = reached({ graphs: async () => err(failure('timeout', 'no answer')) });
    expect(await failing.reach.graphs()).toBeUndefined();
    expect([allDown.clock.sleeping, failing.clock.sleeping]).toEqual([0, 0]);
  });

  it('are not waited for beyond ten seconds', async () => {
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
