import { describe, expect, it } from 'vitest';
import { type GateStates, gateExpiry, gateSince, updateGates } from '../../src/guard/gates.ts';
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
    runs = updateGates(
      runs,
      { node: 'n1', source: 'node_memory', value, at: times(index), collectedAt: times(index), interval },
      clauses,
    );
  }
  return runs;
}

function since(runs: GateStates, now: Millis, { node = 'n1', clause = memory } = {}): Millis | undefined {
  return gateSince(runs, { node, clause, now });
}

describe('gate clause', () => {
  it.each<[string, readonly (number | undefined)[], Millis | undefined]>([
    ['is false without a sample', [], undefined],
    ['begins with one sample', [0.9], undefined],
    ['is false before its duration', [0.9, 0.9], undefined],
    ['is true after its duration', [0.9, 0.86, 0.9], 120_000],
    ['stays true', [0.9, 0.9, 0.9, 0.9, 0.9], 120_000],
    ['begins with the first sample above the bound', [0.1, 0.85, 0.9, 0.9, 0.9], 240_000],
    ['begins again after a sample below the bound', [0.9, 0.9, 0.85, 0.9, 0.9], undefined],
    ['begins again after a missing value', [0.9, 0.9, undefined, 0.9, 0.9], undefined],
    ['ends with a sample below the bound', [0.9, 0.9, 0.9, 0.2], undefined],
    ['ends with a missing value', [0.9, 0.9, 0.9, undefined], undefined],
    ['begins again', [0.9, 0.9, 0.9, 0.2, 0.9, 0.9, 0.9], 360_000],
    ['is false for a value that is not a number', [0.9, 0.9, Number.NaN], undefined],
  ])('%s', (_, samples, expected) => {
    expect(since(runsAfter(samples), (samples.length - 1) * interval)).toBe(expected);
  });

  it('ignores repeated values, and is false if a frozen source has no new values', () => {
    let runs: GateStates = new Map();
    for (const at of [0, 60_000, 120_000, 180_000, 780_000]) {
      const sample = { node: 'n1', source: 'node_memory', value: 0.95, at, collectedAt: 0, interval } as const;
      runs = updateGates(runs, sample, [memory]);
      expect(since(runs, at)).toBeUndefined();
    }
  });

  it('counts the time between the collections of values, and is true from the arrival of the last', () => {
    let runs: GateStates = new Map();
    for (const collectedAt of [0, 0, 60_000, 60_000, 120_000]) {
      const at = collectedAt + 40_000;
      runs = updateGates(runs, { node: 'n1', source: 'node_memory', value: 0.95, at, collectedAt, interval }, [memory]);
    }
    expect(since(runs, 160_000)).toBe(160_000);
    expect([270_000, 270_001].map((now) => since(runs, now))).toEqual([160_000, undefined]);
  });

  it('is false if the sample is stale', () => {
    const runs = runsAfter([0.9, 0.9, 0.9]);
    expect([270_000, 270_001].map((now) => since(runs, now))).toEqual([120_000, undefined]);
  });

  it('expires when its last sample becomes stale', () => {
    const runs = runsAfter([0.9, 0.9, 0.9]);
    const expiry = gateExpiry(runs, { node: 'n1', clause: memory, now: 120_000 });
    expect(expiry).toBe(270_001);
    expect(since(runs, 270_000)).toBe(120_000);
    expect(since(runs, 270_001)).toBeUndefined();
    expect(gateExpiry(runs, { node: 'n1', clause: memory, now: 270_001 })).toBeUndefined();
    expect(gateExpiry(runsAfter([0.9]), { node: 'n1', clause: memory, now: 0 })).toBeUndefined();
  });

  it('starts again after a gap without samples', () => {
    const looked = (pause: Millis) =>
      runsAfter([0.9, 0.9, 0.9], (index) => index * interval + (index === 2 ? pause : 0));
    expect(since(looked(90_000), 210_000)).toBe(210_000);
    expect(since(looked(90_001), 210_001)).toBeUndefined();
  });

  it('uses samples of its node and source, its bound and its duration only', () => {
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

  it('is tracked separately from others', () => {
    const short: GateClause = { ...memory, for: 60_000 };
    const cpu: GateClause = { ...memory, source: 'node_cpu' };
    const runs = runsAfter([0.9, 0.9], undefined, [memory, short, cpu]);
    expect([memory, short, cpu].map((clause) => since(runs, 60_000, { clause }))).toEqual([
      undefined,
      60_000,
      undefined,
    ]);
    const fallen = updateGates(
      runs,
      { node: 'n1', source: 'node_cpu', value: 0.1, at: 70_000, collectedAt: 70_000, interval },
      [memory, short, cpu],
    );
    expect(since(fallen, 70_000, { clause: short })).toBe(60_000);
  });
});
