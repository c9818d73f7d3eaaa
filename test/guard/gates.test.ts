import { describe, expect, it } from 'vitest';
import { type GateStates, gateSince, updateGates } from '../../src/guard/gates.ts';
import type { GateClause } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { bound } from './match-inputs.ts';

const memory: GateClause = { source: 'node_memory', bound: bound('> 0.85'), for: 120_000 };
const interval = 60_000;

/** Returns the gate states after samples of memory, one a minute or at the given times. */
function runsAfter(
  samples: readonly (number | undefined)[],
  times: (index: number) => Millis = (index) => index * interval,
  clauses: readonly GateClause[] = [memory],
): GateStates {
  let runs: GateStates = new Map();
  for (const [index, value] of samples.entries()) {
    runs = updateGates(runs, { node: 'n1', source: 'node_memory', value, at: times(index), interval }, clauses);
  }
  return runs;
}

function since(runs: GateStates, now: Millis, { node = 'n1', clause = memory } = {}): Millis | undefined {
  return gateSince(runs, { node, clause, now });
}

describe('a clause of a gate', () => {
  it.each<[string, readonly (number | undefined)[], Millis | undefined]>([
    ['of no sample', [], undefined],
    ['of one', [0.9], undefined],
    ['that has not lasted', [0.9, 0.9], undefined],
    ['that has lasted', [0.9, 0.86, 0.9], 120_000],
    ['that goes on', [0.9, 0.9, 0.9, 0.9, 0.9], 120_000],
    ['that came late', [0.1, 0.85, 0.9, 0.9, 0.9], 240_000],
    ['that was over in between', [0.9, 0.9, 0.85, 0.9, 0.9], undefined],
    ['without a value in between', [0.9, 0.9, undefined, 0.9, 0.9], undefined],
    ['that is over', [0.9, 0.9, 0.9, 0.2], undefined],
    ['that has no value any more', [0.9, 0.9, 0.9, undefined], undefined],
    ['that came back', [0.9, 0.9, 0.9, 0.2, 0.9, 0.9, 0.9], 360_000],
    ['of what is no number', [0.9, 0.9, Number.NaN], undefined],
  ])('%s', (_, samples, expected) => {
    expect(since(runsAfter(samples), (samples.length - 1) * interval)).toBe(expected);
  });

  it('is false if the sample is stale', () => {
    const runs = runsAfter([0.9, 0.9, 0.9]);
    expect([270_000, 270_001].map((now) => since(runs, now))).toEqual([120_000, undefined]);
  });

  it('starts again after a gap without samples', () => {
    const looked = (pause: Millis) =>
      runsAfter([0.9, 0.9, 0.9], (index) => index * interval + (index === 2 ? pause : 0));
    expect(since(looked(90_000), 210_000)).toBe(210_000);
    expect(since(looked(90_001), 210_001)).toBeUndefined();
  });

  it('is about its node, its source, its bound and its length alone', () => {
    const runs = runsAfter([0.9, 0.9, 0.9]);
    const others: readonly Partial<GateClause>[] = [
      { source: 'node_cpu' },
      { bound: bound('>= 0.85') },
      { bound: bound('> 0.8') },
      { for: 60_000 },
    ];
    for (const other of others) expect(since(runs, 120_000, { clause: { ...memory, ...other } })).toBeUndefined();
    expect(since(runs, 120_000, { node: 'n2' })).toBeUndefined();
  });

  it('is tracked together with others', () => {
    const short: GateClause = { ...memory, for: 60_000 };
    const cpu: GateClause = { ...memory, source: 'node_cpu' };
    const runs = runsAfter([0.9, 0.9], undefined, [memory, short, cpu]);
    expect([memory, short, cpu].map((clause) => since(runs, 60_000, { clause }))).toEqual([
      undefined,
      60_000,
      undefined,
    ]);
    const fallen = updateGates(runs, { node: 'n1', source: 'node_cpu', value: 0.1, at: 70_000, interval }, [
      memory,
      short,
      cpu,
    ]);
    expect(since(fallen, 70_000, { clause: short })).toBe(60_000);
  });
});
