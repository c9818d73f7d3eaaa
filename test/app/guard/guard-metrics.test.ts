import { describe, expect, it } from 'vitest';
import type { PauseView } from '../../../src/app/guard/guard-control.ts';
import { countedSkips } from '../../../src/app/guard/guard-counters.ts';
import { guardMetrics, guardSamples, pauseSamples } from '../../../src/app/guard/guard-metrics.ts';
import { lateReasons } from '../../../src/guard/decision/decision.ts';
import { abortOutcomes } from '../../../src/model/guard.ts';
import { idAt } from '../../guard/observations.ts';
import { createGuardFixture, runaway } from './guard-fixture.ts';

const enforced = { ...runaway, mode: 'enforce', grace: '5s' };

async function linesOf(guard: Readonly<Record<string, unknown>>, seconds = 30): Promise<readonly string[]> {
  const { begin, run, nodes, supervisor, clock, end } = createGuardFixture(guard);
  nodes.arrivals = [0];
  nodes.reply = { kind: 'accepted', aborted: [idAt(0)] };
  await begin();
  await run(seconds);
  nodes.arrivals = [];
  await run(10);
  const sight = supervisor.activeGuard('prod') ?? expect.fail();
  const samples = [...guardSamples(sight, ['m1', 'm2'], clock.now())];
  await end();
  return samples.map(({ metric, labels, value, part }) => {
    return `${metric.name.slice('graphwarden_guard_'.length)}${part ?? ''} ${Object.values(labels).join(' ')} ${value}`;
  });
}

function reported(lines: readonly string[], prefix: string): readonly string[] {
  return lines.filter((line) => line.startsWith(prefix) && !line.endsWith(' 0'));
}

function pausesOf(view: PauseView): readonly string[] {
  return pauseSamples(view).map(({ labels, value }) => `${labels.reason ?? 'paused'} ${value}`);
}

describe('the guard metrics', () => {
  it('count matches, aborts and outcomes, and show the remaining budgets', async () => {
    const lines = await linesOf({ mode: 'enforce', policies: [enforced] });
    expect(reported(lines, '').filter((line) => !/^reaction|^list/.test(line))).toEqual([
      'mode runaway enforce 1',
      'matches_total runaway m1 1',
      'abort_attempts_total runaway m1 1',
      'outcomes_total runaway m1 confirmed 1',
      'node_covered m1 1',
      'ready runaway m1  1',
      'budget_remaining cluster 5',
      'budget_remaining node 2',
    ]);
    expect(lines).toContain('reaction_seconds_count runaway m1 1');
  });

  it('count would-be aborts of an observing policy, without outcomes', async () => {
    const lines = await linesOf({ policies: [{ ...enforced, mode: 'observe' }] });
    expect(reported(lines, 'would')).toEqual(['would_abort_total runaway m1 1']);
    expect(reported(lines, 'mode')).toEqual(['mode runaway observe 1']);
    expect(lines.filter((line) => line.startsWith('outcomes'))).toEqual([]);
  });

  it('have the mode observe if the guard observes, for any mode of a policy', async () => {
    expect(reported(await linesOf({ policies: [enforced] }, 1), 'mode')).toEqual(['mode runaway observe 1']);
  });

  it('show delays by budget, and the breaker that opens', async () => {
    const budgets = { per_node: { max: 1, within: '10m' }, per_cluster: { max: 6, within: '10m' } };
    const gated = { ...runaway, name: 'gated', gate: { all: [{ queue_depth: '> 5', for: '30s' }] } };
    const breakers = { same_query: { aborts: 1, within: '15m' } };
    const lines = await linesOf({ mode: 'enforce', budgets, breakers, policies: [enforced, gated] });
    expect(lines.filter((line) => line.startsWith('breaker'))).toEqual([
      'breaker_open  credential   0',
      'breaker_open  same_query fraud ring_scan 1',
      'breaker_open gated no_relief   0',
    ]);
    expect(lines.filter((line) => line.startsWith('budget_remaining'))).toEqual([
      'budget_remaining cluster 5',
      'budget_remaining node 0',
    ]);
  });

  it('have each skip reason and, for an enforcing policy, each outcome from the start', async () => {
    const lines = await linesOf({ mode: 'enforce', policies: [enforced] }, 1);
    const perNode = countedSkips.filter(({ scope }) => scope !== 'all');
    expect(lines.filter((line) => line.startsWith('skips_total m2'))).toHaveLength(perNode.length);
    expect(lines).toContain('skips_total  all clock_stepped 0');
    expect(lines.filter((line) => line.startsWith('outcomes_total runaway m2'))).toHaveLength(abortOutcomes.length);
  });

  it('start the counter of manual aborts at 0, so that increase() includes the first one', async () => {
    const lines = await linesOf({ mode: 'enforce', policies: [enforced] }, 1);
    expect(lines).toContain('abort_attempts_total  m2 0');
    expect(lines.filter((line) => line.startsWith('outcomes_total  '))).toEqual([]);
  });

  it('have series for delays before the first abort', async () => {
    const lines = await linesOf({ mode: 'enforce', policies: [enforced] }, 1);
    const held = lines.filter((line) => line.startsWith('late_decisions_total runaway m2'));
    expect(held).toEqual(lateReasons.map((reason) => `late_decisions_total runaway m2 ${reason} 0`));
    expect(lines).toContain('reaction_seconds_count runaway m2 0');
    const observed = await linesOf({ policies: [{ ...enforced, mode: 'observe' }] }, 1);
    expect(observed.filter((line) => /^late|^reaction/.test(line))).toEqual([]);
  });

  it('are all declared', async () => {
    const lines = await linesOf({ mode: 'enforce', policies: [enforced] });
    const shown = new Set(lines.map((line) => line.split(/_(?:bucket|sum|count)? | /)[0]));
    const declared = guardMetrics.map(({ name }) => name.slice('graphwarden_guard_'.length));
    for (const name of shown) expect(declared.some((one) => name?.startsWith(one) || one === name)).toBe(true);
    expect(declared).toContain('paused');
  });

  it('show whether it is paused, with a series for each reason', () => {
    expect(pausesOf({ isPaused: false, reasons: [] })).toEqual([
      'paused 0',
      'operator 0',
      'signal 0',
      'file 0',
      'config 0',
      'unexpected_id 0',
      'other_guard 0',
      'state_lost 0',
    ]);
    expect(pausesOf({ isPaused: true, reasons: ['file', 'state_lost'] }).filter((line) => line.endsWith('1'))).toEqual([
      'paused 1',
      'file 1',
      'state_lost 1',
    ]);
  });
});
