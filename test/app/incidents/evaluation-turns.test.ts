import { describe, expect, it } from 'vitest';
import { EvaluationTurns } from '../../../src/app/incidents/evaluation-turns.ts';

const none = new Set<string>();

function fleetOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `c${at}`);
}

describe('turns of evaluation', () => {
  it('include every cluster of a small fleet at each tick', () => {
    const turns = new EvaluationTurns();
    for (const mono of [0, 1000, 2000, 7000]) expect([...turns.due(fleetOf(10), none, mono)]).toEqual(fleetOf(10));
    expect([...turns.due([], none, 8000)]).toEqual([]);
  });

  it('include every cluster of a fleet at the first tick, and then each within 5 s', () => {
    const turns = new EvaluationTurns();
    expect(turns.due(fleetOf(52), none, 0).size).toBe(52);
    const seen = [1000, 2000, 3000, 4000, 5000].map((mono) => [...turns.due(fleetOf(52), none, mono)]);
    expect(seen.map(({ length }) => length)).toEqual([11, 11, 11, 11, 11]);
    expect(new Set(seen.flat())).toEqual(new Set(fleetOf(52)));
  });

  it('include every cluster of a fleet if the last tick was 5 s before', () => {
    const turns = new EvaluationTurns();
    turns.due(fleetOf(50), none, 0);
    turns.due(fleetOf(50), none, 1000);
    expect(turns.due(fleetOf(50), none, 6000).size).toBe(50);
  });

  it('always include clusters with incidents', () => {
    const turns = new EvaluationTurns();
    const busy = new Set(['c3', 'c49']);
    turns.due(fleetOf(50), busy, 0);
    for (const mono of [1000, 2000, 3000])
      expect([...turns.due(fleetOf(50), busy, mono)].filter((one) => busy.has(one))).toHaveLength(2);
  });

  it('continue after clusters were added or removed', () => {
    const turns = new EvaluationTurns();
    turns.due(fleetOf(50), none, 0);
    for (const mono of [1000, 2000, 3000]) turns.due(fleetOf(50), none, mono);
    const seen = [4000, 5000].flatMap((mono) => [...turns.due(fleetOf(20), none, mono)]);
    expect(new Set(seen)).toEqual(new Set(fleetOf(20)));
  });
});
