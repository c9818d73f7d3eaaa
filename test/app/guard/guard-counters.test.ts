import { describe, expect, it } from 'vitest';
import { countedSkips, GuardCounters } from '../../../src/app/guard/guard-counters.ts';
import type { GuardOutput } from '../../../src/guard/decision/output.ts';
import type { Policy } from '../../../src/guard/policy.ts';
import { GuardSimulation, settingsOf } from '../../guard/decision/guard-simulation.ts';
import { policyOf } from '../../guard/parsed-policy.ts';

const about = { key: 'k', policy: 'runaway', node: 'n1', id: '7', graph: 'fraud' };
const named = policyOf({ when: { query: 'ring_*' } });

function tallyOf(outputs: readonly GuardOutput[]): GuardCounters {
  const tally = new GuardCounters();
  for (const output of outputs) tally.record(output);
  return tally;
}

function abortAfter(reaction: number, node = 'n1'): GuardOutput {
  return { kind: 'sent', key: 'k', node, policy: 'runaway', id: 'i1', graph: 'fraud', reaction };
}

function lived(policy: Policy): GuardCounters {
  const simulation = new GuardSimulation(settingsOf([policy])).begin();
  simulation.start();
  return tallyOf(simulation.run(60_000).outputs);
}

/** A tally that looks after each second, as the daemon does. */
function looking(policies: readonly Policy[]) {
  const tally = new GuardCounters();
  const simulation = new GuardSimulation(settingsOf(policies)).begin();
  const run = (seconds: number): void => {
    for (let second = 0; second < seconds; second += 1) tally.countMatches(simulation.run(1000).state);
  };
  return { tally, simulation, run };
}

describe('the tally of the guard', () => {
  it('counts aborts by policy and node', () => {
    const tally = lived(policyOf({ mode: 'enforce', when: { age: '> 12s' } }));
    expect(tally.count('attempt', 'runaway', 'n1')).toBe(1);
    expect(tally.count('outcome', 'runaway', 'n1', 'confirmed')).toBe(1);
    expect(tally.all('would_abort')).toEqual([]);
    expect(Math.max(...tally.reactions('runaway', 'n1').counts)).toBe(1);
  });

  it('counts aborts in observe mode separately', () => {
    const tally = lived(policyOf({ when: { age: '> 12s' } }));
    expect(tally.count('would_abort', 'runaway', 'n1')).toBe(1);
    expect([tally.all('attempt'), tally.all('outcome'), tally.reactions('runaway', 'n1').sum]).toEqual([[], [], 0]);
  });

  it('counts delays, and spent budgets', () => {
    const late = { kind: 'late', ...about, reason: 'node_budget' } as const;
    const tally = tallyOf([late, late, { kind: 'exhausted', budget: 'node' }]);
    expect(tally.all('late')).toEqual([{ kind: 'late', labels: ['runaway', 'n1', 'node_budget'], count: 2 }]);
    expect([tally.count('exhausted', 'node'), tally.count('exhausted', 'cluster')]).toEqual([1, 0]);
  });

  it('counts skip reasons by scope, without a node if the scope is the whole cluster', () => {
    const tally = tallyOf([
      { kind: 'skipped', scope: 'entry', node: 'n1', reason: 'id' },
      { kind: 'skipped', scope: 'node', node: 'n2', reason: 'clock_stepped' },
      { kind: 'skipped', scope: 'all', reason: 'clock_stepped' },
    ]);
    expect(tally.all('skipped').map(({ labels }) => labels)).toEqual([
      ['n1', 'entry', 'id'],
      ['n2', 'node', 'clock_stepped'],
      ['', 'all', 'clock_stepped'],
    ]);
  });

  it('has each possible skip reason once', () => {
    const keys = countedSkips.map(({ scope, reason }) => `${scope} ${reason}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toContain('node foreign_instance');
    expect(keys.filter((key) => key.startsWith('all'))).toEqual(['all clock_stepped']);
  });

  it('has reactions in seconds, by policy and node', () => {
    const tally = tallyOf([abortAfter(200), abortAfter(45_000), abortAfter(1e9), abortAfter(5, 'n2')]);
    const first = tally.reactions('runaway', 'n1');
    expect(first.counts).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1]);
    expect(first.sum).toBeCloseTo(1_000_045.2);
    expect(tally.reactions('runaway', 'n2').counts[0]).toBe(1);
    expect(tally.count('attempt', 'runaway', 'n1')).toBe(3);
  });

  it('ignores outputs without a counter', () => {
    const tally = tallyOf([
      { kind: 'list', node: 'n1', purpose: 'regular' },
      { kind: 'cancelled', ...about, skipReason: 'paused' },
      { kind: 'blind', node: 'n1', isBlind: true },
    ]);
    for (const kind of ['list', 'cancelled', 'blind']) expect(tally.all(kind)).toEqual([]);
  });
});

describe('the count of matches', () => {
  it('has each query once, from its confirmation on', () => {
    const { tally, simulation, run } = looking([named]);
    simulation.start();
    run(4);
    expect(simulation.state.matches).toHaveLength(1);
    expect(tally.count('match', 'runaway', 'n1')).toBe(0);
    run(30);
    expect(tally.count('match', 'runaway', 'n1')).toBe(1);
    simulation.start();
    run(10);
    expect(tally.count('match', 'runaway', 'n1')).toBe(2);
  });

  it('has a query once for each policy that owns it', () => {
    const { tally, simulation, run } = looking([policyOf({ name: 'slow', when: { age: '> 20s' } }), named]);
    simulation.start();
    run(15);
    expect([tally.count('match', 'slow', 'n1'), tally.count('match', 'runaway', 'n1')]).toEqual([0, 1]);
    run(15);
    expect([tally.count('match', 'slow', 'n1'), tally.count('match', 'runaway', 'n1')]).toEqual([1, 1]);
  });

  it('has a query once if the local clock is set', () => {
    const { tally, simulation, run } = looking([named]);
    simulation.start();
    run(10);
    simulation.stepClock(3_600_000);
    simulation.send({ kind: 'tick' });
    expect(simulation.state.views.get('n1')?.list).toBeUndefined();
    run(20);
    expect(tally.count('match', 'runaway', 'n1')).toBe(1);
  });

  it('drops ended queries and removed nodes', () => {
    const { tally, simulation, run } = looking([named]);
    const { node, id } = simulation.start({ lasts: 12_000 });
    run(10);
    const { state } = simulation;
    run(10);
    expect(simulation.state.views.get(node)?.list?.ids.has(id)).toBe(false);
    tally.countMatches(state);
    expect(tally.count('match', 'runaway', 'n1')).toBe(2);
    tally.countMatches({ ...state, views: new Map() });
    tally.countMatches(state);
    expect(tally.count('match', 'runaway', 'n1')).toBe(3);
  });
});
