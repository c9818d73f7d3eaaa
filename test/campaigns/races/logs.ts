import type { RecordedRun } from '../../../campaigns/races/oracle/recorded-run.ts';
import type { SimulationPlan } from '../../../campaigns/races/plan/plan.ts';
import type { AbortLog, IntentLog, ListLog, Query, SimulationLog } from '../../../campaigns/races/simulation/log.ts';
import { settingsOf } from '../../guard/decision/guard-simulation.ts';
import { bound, policyOf } from '../../guard/match-inputs.ts';

/** Id of the query of {@link queryOf}. */
export const id = '7.RESTPP_1_1.1790000001000.N';

/** Only policy of {@link recordedRunOf}: older than 30 s, with a grace period of 10 s. */
export const policy = policyOf({ age: bound('>= 30000') }, { grace: 10_000, cooldown: 5000 });

/** Returns a query that runs from 1000 ms, with the given fields. */
export function queryOf(changes: Partial<Query> = {}): Query {
  return {
    number: 0,
    node: 'n1',
    graph: 'fraud',
    name: 'ring_scan',
    url: '/query/fraud/ring_scan',
    isInstalled: true,
    queuedFor: 0,
    runsFor: 3_600_000,
    grantedTimeout: 3_600_000,
    ignoresAborts: false,
    overstatedAge: 0,
    id,
    arrivedAt: 1000,
    beganAt: 1000,
    endedAt: 50_000,
    isAborted: true,
    ...changes,
  };
}

/** Returns a good list that took 20 ms. */
export function listOf(startedAt: number, changes: Partial<ListLog> = {}): ListLog {
  return {
    node: 'n1',
    machine: 'n1',
    purpose: 'regular',
    startedAt,
    receivedAt: startedAt + 20,
    isGood: true,
    tags: new Set(['RESTPP_1_1']),
    listed: new Set([0]),
    ...changes,
  };
}

/** Returns an abort of that query, sent at 45,000 ms. */
export function abortOf(changes: Partial<AbortLog> = {}, order: Partial<AbortLog['order']> = {}): AbortLog {
  return {
    order: { key: 'k', node: 'n1', connection: 'c1', id, graph: 'fraud', ...order },
    policy: policy.name,
    sentAt: 45_000,
    arrivedAt: 45_005,
    machine: 'n1',
    listMachine: 'n1',
    answeredAt: 45_010,
    queryNumber: 0,
    answer: { kind: 'accepted', aborted: [id] },
    ...changes,
  };
}

/** Returns its intent, which was on disk shortly before. */
export function intentOf(changes: Partial<IntentLog> = {}): IntentLog {
  const target = { node: 'n1', id, graph: 'fraud', query: 'ring_scan' };
  return { key: 'k', policy: policy.name, ...target, at: 44_990, onDiskAt: 44_999, ...changes };
}

/** Returns a node with a correct clock. */
export const node = {
  name: 'n1',
  tag: 'RESTPP_1_1',
  isConfigured: true,
  clockOffset: 0,
  drift: 0,
  zone: 0,
  roundsAges: false,
  computesAgesByWallClock: false,
};

/** Returns a run of 90 s on one node, in which that query is listed and aborted correctly. */
export function recordedRunOf(log: Partial<SimulationLog> = {}, plan: Partial<SimulationPlan> = {}): RecordedRun {
  return {
    plan: {
      seed: 1,
      kind: 'healthy',
      settings: settingsOf([policy]),
      nodes: [node, { ...node, name: 'n2', tag: 'RESTPP_1_2' }],
      interval: 5000,
      startsAt: 0,
      length: 90_000,
      graphs: ['fraud', 'sandbox'],
      latencies: { list: [20, 20], abort: [5, 5], commit: [5, 5] },
      pressures: [],
      faultPeriods: [],
      events: [],
      ...plan,
    },
    log: {
      queries: [queryOf()],
      lists: Array.from({ length: 18 }, (_, index) => listOf(index * 5000)),
      aborts: [abortOf()],
      intents: [intentOf()],
      outcomes: [{ key: 'k', outcome: 'confirmed', at: 47_000 }],
      samples: [],
      pauses: [],
      steps: [],
      reloads: [],
      downtimes: [],
      stoppedAt: undefined,
      unexpectedReplies: [],
      shared: [],
      resets: [],
      tags: [
        { at: 0, node: 'n1', tag: 'RESTPP_1_1' },
        { at: 0, node: 'n2', tag: 'RESTPP_1_2' },
      ],
      ...log,
    },
  };
}
