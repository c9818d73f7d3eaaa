import { describe, expect, it } from 'vitest';
import { GuardReadiness, notReadyViews } from '../../../src/app/guard/guard-readiness.ts';
import type { AbortResponse } from '../../../src/guard/decision/decision.ts';
import { guardSection } from '../../../src/guard/guard-section.ts';
import type { GuardSettings } from '../../../src/guard/policy.ts';
import type { Random } from '../../../src/kernel/system.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import type { NotReadyReason } from '../../../src/model/not-ready.ts';
import { seededRandom } from '../../../src/simulator/seeded-random.ts';
import { numberOfRuns } from '../../support/campaign.ts';
import { entryOf } from '../observations.ts';
import { GuardSimulation, type SimulationBehavior } from './guard-simulation.ts';

const hour: Millis = 3_600_000;
const simulatedHours = numberOfRuns({ short: 25, campaign: 4000 });
/** The guard waits for a slow list before it counts as missing. */
const allowance: Millis = 3000;
const maxListPause: Millis = 30_000;
/** Time in which a query is confirmed, its grace period ends and its abort has an outcome, beside two intervals. */
const timeToAbort: Millis = 60_000;

/** The cluster has a larger budget than a node, or a smaller one. */
const settingsWith = (perNode: number, perCluster: number): GuardSettings =>
  guardSection.parse({
    mode: 'enforce',
    budgets: { per_node: { max: perNode, within: '30m' }, per_cluster: { max: perCluster, within: '30m' } },
    policies: [{ name: 'runaway', mode: 'enforce', when: { age: '> 10s' }, grace: '5s', cooldown: '0s' }],
  });

/** Simulated guard of two nodes, with a fault. */
class FaultSimulation {
  readonly behavior: { -readonly [Key in keyof SimulationBehavior]?: SimulationBehavior[Key] } = {};
  readonly simulation: GuardSimulation;
  readonly interval: Millis;
  readonly #settings: GuardSettings;
  readonly #readiness = new GuardReadiness();
  isPolled = true;

  constructor(settings: GuardSettings, interval: Millis) {
    this.#settings = settings;
    this.interval = interval;
    const instances = { n1: 'RESTPP_1_1', n2: 'RESTPP_1_2' };
    this.simulation = new GuardSimulation(
      settings,
      {
        latency: (node) => this.behavior.latency?.(node) ?? 20,
        body: (entries, node) =>
          this.behavior.body === undefined ? { error: false, results: entries } : this.behavior.body(entries, node),
        commit: (key) => this.behavior.commit?.(key) ?? { after: 5, isOnDisk: true },
        abort: (order, hit) =>
          this.behavior.abort?.(order, hit) ?? { answer: { kind: 'accepted', aborted: [order.id] }, ends: true },
      },
      { nodes: ['n1', 'n2'], instances, interval },
    ).begin();
  }

  /** The reasons why the policy cannot abort queries on each node, and those that page. */
  report() {
    const { state } = this.simulation;
    const source = { guard: this.#settings, nodes: ['n1', 'n2'], isPolled: this.isPolled, interval: this.interval };
    const all = this.#readiness.report(
      { state, policies: this.#settings.policies, settings: source },
      this.simulation.now(),
    );
    const paging = notReadyViews(all).flatMap(({ reasons }) => reasons);
    return { reasons: new Map(all.map(({ node, reasons }) => [node, reasons])), paging };
  }
}

interface Fault {
  /** Most important reason of each node on which no query can be aborted. */
  readonly reasons: Readonly<Record<string, NotReadyReason>>;
  /** The rule that reports the reason; absent for `guard_not_ready`. */
  readonly otherRule?: 'guard_paused' | 'state_not_durable' | 'guard_blind' | 'guard_breaker_open';
  /** A query has to reach its abort before anything can be noticed. */
  readonly needsAbort?: boolean;
  readonly settings?: GuardSettings;
  begin(faulty: FaultSimulation): void;
  end?(faulty: FaultSimulation): void;
}

const refused: AbortResponse = { kind: 'refused', isUnauthorized: true };
const faults: Readonly<Record<string, Fault>> = {
  'the guard is paused': {
    reasons: { n1: 'paused', n2: 'paused' },
    otherRule: 'guard_paused',
    begin: ({ simulation }) => void simulation.send({ kind: 'paused', isPaused: true }),
    end: ({ simulation }) => void simulation.send({ kind: 'paused', isPaused: false }),
  },
  'the audit cannot be written': {
    reasons: { n1: 'state_not_durable', n2: 'state_not_durable' },
    otherRule: 'state_not_durable',
    begin: ({ simulation }) => void simulation.send({ kind: 'audit', isWritable: false }),
    end: ({ simulation }) => void simulation.send({ kind: 'audit', isWritable: true }),
  },
  'the collector is off': {
    reasons: { n1: 'collector_off', n2: 'collector_off' },
    begin(faulty) {
      faulty.isPolled = false;
    },
    end(faulty) {
      faulty.isPolled = true;
    },
  },
  'a node does not answer': {
    reasons: { n1: 'list_failed' },
    otherRule: 'guard_blind',
    begin({ behavior }) {
      behavior.body = (entries, of) => (of === 'n1' ? undefined : { error: false, results: entries });
    },
    end: ({ behavior }) => void delete behavior.body,
  },
  'the lists of a node are late': {
    reasons: { n1: 'list_missing' },
    begin({ behavior, interval }) {
      behavior.latency = (of) => (of === 'n1' ? 3 * interval + 2 * allowance : 20);
    },
    end: ({ behavior }) => void delete behavior.latency,
  },
  'a node answers with an error': {
    reasons: { n2: 'list_failed' },
    otherRule: 'guard_blind',
    begin({ behavior }) {
      behavior.body = (entries, of) => ({ error: of === 'n2', results: entries });
    },
    end: ({ behavior }) => void delete behavior.body,
  },
  'two nodes report one instance': {
    // The list of the other node is rejected for its foreign instance.
    reasons: { n1: 'not_covered', n2: 'list_failed' },
    begin(faulty) {
      const { id } = faulty.simulation.start({ node: 'n1' });
      const listed = { error: false, results: [entryOf({ requestid: id })] };
      faulty.behavior.body = (entries, of) => (of === 'n1' ? { error: false, results: entries } : listed);
    },
  },
  'an earlier cluster has a node': {
    reasons: { n2: 'other_cluster' },
    begin: ({ simulation }) => void simulation.send({ kind: 'shared', nodes: ['n2'] }),
    end: ({ simulation }) => void simulation.send({ kind: 'shared', nodes: [] }),
  },
  'the graphs are unknown': {
    reasons: { n1: 'graphs_unknown', n2: 'graphs_unknown' },
    begin: ({ simulation }) => void simulation.send({ kind: 'graphs', names: [] }),
    end: ({ simulation }) => void simulation.send({ kind: 'graphs', names: ['fraud'] }),
  },
  'the abort credential is refused': {
    reasons: { n1: 'credential_refused', n2: 'credential_refused' },
    otherRule: 'guard_breaker_open',
    needsAbort: true,
    begin({ simulation, behavior }) {
      behavior.abort = () => ({ answer: refused, ends: false });
      simulation.start();
    },
  },
  'the budget of a node is spent, and a query waits': {
    reasons: { n1: 'node_budget' },
    needsAbort: true,
    begin({ simulation }) {
      simulation.start();
      simulation.start();
    },
  },
  'the budget of the cluster is spent, and a query waits': {
    reasons: { n1: 'cluster_budget', n2: 'cluster_budget' },
    needsAbort: true,
    settings: settingsWith(2, 1),
    begin({ simulation }) {
      simulation.start();
      simulation.start();
    },
  },
};

/** Takes one condition away and gives it back; returns the simulated time. */
function runTrial(name: string, fault: Fault, random: Random): Millis {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random.next() * items.length)] ?? expect.fail();
  const faulty = new FaultSimulation(fault.settings ?? settingsWith(1, 2), pick([1000, 5000, 15_000, 30_000, 60_000]));
  const { simulation, interval } = faulty;
  const about = `${name}, interval ${interval} ms`;
  const begin = simulation.now().mono;
  const run = (length: Millis): void => void simulation.run(length);

  run(3 * interval + Math.floor(random.next() * 10 * interval));
  expect([...faulty.report().reasons.values()].flat(), `${about}: ready`).toEqual([]);

  fault.begin(faulty);
  // A fault is visible from the next list on.
  run(3 * interval + allowance + (fault.needsAbort === true ? timeToAbort + 2 * interval : 0));
  const { reasons, paging } = faulty.report();
  for (const node of ['n1', 'n2']) expect(reasons.get(node)?.[0], `${about}: ${node}`).toBe(fault.reasons[node]);
  const paged = Object.values(fault.reasons).filter((reason) => reason !== 'list_failed');
  expect(paging, `${about}: pages`).toEqual(fault.otherRule === undefined ? [...new Set(paged)] : []);

  if (fault.end !== undefined) {
    fault.end(faulty);
    // After slow lists, the pause between lists is at most half a minute.
    run(5 * interval + 2 * maxListPause);
    expect([...faulty.report().reasons.values()].flat(), `${about}: ready again`).toEqual([]);
  }
  return simulation.now().mono - begin;
}

describe('readiness has the expected reason within two list intervals', () => {
  const each = (simulatedHours * hour) / Object.keys(faults).length;
  it.each(Object.entries(faults))('if %s', (name, fault) => {
    const random = seededRandom(7);
    let [simulated, trials] = [0, 0];
    while (simulated < each) {
      simulated += runTrial(name, fault, random);
      trials += 1;
    }
    expect(trials).toBeGreaterThan(1);
  });
});
