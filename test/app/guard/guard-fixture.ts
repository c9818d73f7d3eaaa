import type { GuardSupervisorContext } from '../../../src/app/guard/guard-control.ts';
import { GuardSupervisor } from '../../../src/app/guard/guard-supervisor.ts';
import type { GuardNodeAccess } from '../../../src/app/guard/node-access.ts';
import { queries } from '../../../src/collect/queries.ts';
import type { AbortReply } from '../../../src/graphdb/abort-reply.ts';
import type { AbortCommand } from '../../../src/guard/decision/output.ts';
import { guardSection } from '../../../src/guard/guard-section.ts';
import type { GuardSettings } from '../../../src/guard/policy.ts';
import type { Failure } from '../../../src/kernel/failure.ts';
import { ok, type Result } from '../../../src/kernel/result.ts';
import type { Store } from '../../../src/kernel/store.ts';
import type { Instant, Millis } from '../../../src/kernel/time.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { entryOf, epoch, idAt } from '../../guard/observations.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';
import { clusterOf, configOf, fixedRandom } from '../fakes.ts';

/** A guard as it is written. */
export function guardOf(given: Readonly<Record<string, unknown>>): GuardSettings {
  return guardSection.parse(given);
}

/** Matches what runs for longer than 10 s. */
export const runaway = { name: 'runaway', when: { age: '> 10s' } };

/** A query that arrived `arrival` after the epoch, as a list has it that is read at `read`. */
export function entryAt(
  read: Millis,
  arrival: Millis,
  changes: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return entryOf({ requestid: idAt(arrival), elapsedTime: read - arrival, ...changes });
}

/** Arguments of {@link GuardSupervisor.onPollResult}. */
export type ListPollResult = Parameters<GuardSupervisor['onPollResult']>;

/** Poll result of the collector `queries`. */
function queriesPollResult(now: Instant, result: Result<unknown, Failure>, node = 'm1'): ListPollResult {
  const feed = { cluster: 'prod', collector: 'queries', node, definition: queries, labels: {}, passthrough: false };
  return [feed, { result, source: node, started: now, ended: now }, { interval: 5000, lifetime: 15_000 }];
}

/** Poll result whose process list has these entries. */
export function receivedListAt(now: Instant, results: unknown, node = 'm1'): ListPollResult {
  const raw = {
    body: { error: false, results },
    address: '10.0.0.1:14240',
    connection: 'c1',
    started: now,
    received: now,
  };
  return queriesPollResult(now, ok({ graphs: [], queries: [], raw }), node);
}

/** Behavior of the nodes of a {@link GuardBed}. */
export interface Nodes {
  /** Queries that run on `m1`, by when they arrived after the epoch. */
  arrivals: number[];
  /** Response of a node to an abort request. */
  reply: AbortReply | 'silence';
  lacksCredentials?: boolean;
  readonly orders: AbortCommand[];
  /** `urgent m1`, in the order of the requests. */
  readonly requested: string[];
}

/** A configuration with such a guard, in which `m1` has an instance and a host. */
export function configWith(guard: Readonly<Record<string, unknown>>, clusters: readonly string[] = ['prod']) {
  const config = configOf(
    clusters.map((name) => {
      const [node] = clusterOf(name, ['m1']).nodes;
      const reported = { name: 'm1', url: node?.url ?? '', hostId: 'host-1', instance: 'RESTPP_1_1' };
      return { ...clusterOf(name, ['m1']), nodes: [reported, { name: 'm2', url: 'http://m2.test:14240' }] };
    }),
  );
  return { ...config, guard: guardOf(guard) };
}

/** Overrides of {@link createGuardFixture}. */
export type FixtureChanges = Partial<GuardSupervisorContext>;

/** The guard over a cluster `prod` whose node `m1` lists the queries that run on it, on a clock that a test moves. */
export function createGuardFixture(guard: Readonly<Record<string, unknown>>, changes: FixtureChanges = {}) {
  const clock = new FakeClock(epoch);
  const log = recordingLogger();
  const store: Store = changes.store ?? memoryStore();
  const nodes: Nodes = { arrivals: [], reply: { kind: 'accepted', aborted: [] }, orders: [], requested: [] };
  const facts: Record<string, number> = {};
  /** Events that subscribers receive: `enforce over confirmed`. */
  const events: string[] = [];
  const config = configWith(guard);
  const supervisor = new GuardSupervisor({
    clock,
    log,
    store,
    digest,
    random: fixedRandom(0.5),
    files: { presence: async () => 'absent' },
    pauseFile: 'state/guard.paused',
    facts: (cluster, family) => {
      const value = facts[`${cluster} ${family}`];
      return value === undefined ? [] : [{ labels: { host_id: 'host-1', category: 'cpu-memory' }, value }];
    },
    nodeAccess: () => reach,
    record: (_, rows) => store.commit(rows),
    publish: ({ phase, outcome = '', mode }) => events.push(`${mode} ${phase} ${outcome}`.trim()),
    ...changes,
  });
  /** Lists what runs on a node now. */
  const list = (node = 'm1'): void => {
    const { wall } = clock.now();
    const listed = node === 'm1' ? nodes.arrivals.map((arrival) => entryAt(wall - epoch, arrival)) : [];
    supervisor.onPollResult(...receivedListAt(clock.now(), listed, node));
  };
  const reach: GuardNodeAccess = {
    nodes: () => config.clusters[0]?.nodes ?? [],
    graphs: async () => ['fraud'],
    lacksCredentials: () => nodes.lacksCredentials ?? false,
    async requestList(node, isUrgent) {
      nodes.requested.push(`${isUrgent ? 'urgent' : 'regular'} ${node}`);
      list(node);
      return true;
    },
    async abort(order, mayWrite, signal) {
      if (nodes.reply !== 'silence' && nodes.reply.kind === 'unsent') return nodes.reply;
      if (!mayWrite()) return { kind: 'unsent', reason: 'not permitted' };
      nodes.orders.push(order);
      if (nodes.reply !== 'silence') return nodes.reply;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return { kind: 'lost', reason: 'no answer' };
    },
  };
  /** Begins as the daemon does. */
  const begin = async (): Promise<void> => {
    supervisor.start();
    supervisor.applyConfig(config);
    await clock.settle();
    supervisor.tick(clock.now());
    await clock.settle();
  };
  /** Lets time go by, with a tick each second. */
  const run = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      await clock.advance(1000);
      supervisor.tick(clock.now());
      await clock.settle();
    }
  };
  const end = async (): Promise<void> => {
    await supervisor.stop(AbortSignal.abort());
    await clock.settle();
  };
  return { clock, log, store, nodes, facts, events, config, supervisor, begin, run, end, list };
}
