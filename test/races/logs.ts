import type { Trial } from '../../races/oracle/trial.ts';
import type { Plan } from '../../races/plan/plan.ts';
import type { AbortLog, IntentLog, ListLog, Query, RaceLog } from '../../races/world/log.ts';
import { settingsOf } from '../guard/decision/world.ts';
import { bound, policyOf } from '../guard/scenes.ts';

/** The id of the query of {@link queryOf}. */
export const id = '7.RESTPP_1_1.1790000001000.N';

/** The only policy of {@link trialOf}: older than 30 s, with 10 s of grace. */
export const policy = policyOf({ age: bound('>= 30000') }, { grace: 10_000, cooldown: 5000 });

/** A query that runs from 1000 on; what a test is about it says itself. */
export function queryOf(changes: Partial<Query> = {}): Query {
  return {
    number: 0,
    node: 'n1',
    graph: 'fraud',
    name: 'ring_scan',
    url: '/query/fraud/ring_scan',
    isInstalled: true,
    waits: 0,
    lasts: 3_600_000,
    granted: 3_600_000,
    isZombie: false,
    lie: 0,
    id,
    arrivedAt: 1000,
    beganAt: 1000,
    endedAt: 50_000,
    isAborted: true,
    ...changes,
  };
}

/** A good list that took 20 ms. */
export function listOf(startedAt: number, changes: Partial<ListLog> = {}): ListLog {
  return {
    node: 'n1',
    purpose: 'plain',
    startedAt,
    receivedAt: startedAt + 20,
    isGood: true,
    tags: new Set(['RESTPP_1_1']),
    seen: new Set([0]),
    ...changes,
  };
}

/** An abort of that query, sent at 45,000. */
export function abortOf(changes: Partial<AbortLog> = {}, order: Partial<AbortLog['order']> = {}): AbortLog {
  const path = `/abortquery/${order.graph ?? 'fraud'}?requestid=${order.id ?? id}`;
  return {
    order: { key: 'k', node: 'n1', address: '10.0.0.1', id, graph: 'fraud', path, ...order },
    policy: policy.name,
    sentAt: 45_000,
    arrivedAt: 45_005,
    machine: 'n1',
    hit: 0,
    answer: { kind: 'taken', aborted: [id] },
    ...changes,
  };
}

/** Its intent, which was on disk just before. */
export function intentOf(changes: Partial<IntentLog> = {}): IntentLog {
  const target = { node: 'n1', id, graph: 'fraud', query: 'ring_scan' };
  return { key: 'k', policy: policy.name, ...target, at: 44_990, onDiskAt: 44_999, ...changes };
}

/** A node whose clock is right. */
export const node = {
  name: 'n1',
  tag: 'RESTPP_1_1',
  isConfigured: true,
  ahead: 0,
  drift: 0,
  zone: 0,
  isRounding: false,
  isByWall: false,
};

/** A run of a minute and a half on one node, in which that query is listed and aborted as it should be. */
export function trialOf(log: Partial<RaceLog> = {}, plan: Partial<Plan> = {}): Trial {
  return {
    plan: {
      seed: 1,
      kind: 'healthy',
      settings: settingsOf([policy]),
      nodes: [node, { ...node, name: 'n2', tag: 'RESTPP_1_2' }],
      interval: 5000,
      begins: 0,
      length: 90_000,
      graphs: ['fraud', 'sandbox'],
      latencies: { list: [20, 20], abort: [5, 5], commit: [5, 5] },
      pressures: [],
      spells: [],
      happenings: [],
      ...plan,
    },
    log: {
      queries: [queryOf()],
      lists: Array.from({ length: 18 }, (_, index) => listOf(index * 5000)),
      aborts: [abortOf()],
      intents: [intentOf()],
      outcomes: [{ key: 'k', outcome: 'confirmed', at: 47_000 }],
      readings: [],
      pauses: [],
      steps: [],
      reloads: [],
      downs: [],
      stoppedAt: undefined,
      surprises: [],
      resets: [],
      tags: [
        { at: 0, node: 'n1', tag: 'RESTPP_1_1' },
        { at: 0, node: 'n2', tag: 'RESTPP_1_2' },
      ],
      ...log,
    },
  };
}
