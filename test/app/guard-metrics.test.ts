import { describe, expect, it } from 'vitest';
import { doubts } from '../../src/app/guard-counts.ts';
import { guardMetrics, guardSamples } from '../../src/app/guard-metrics.ts';
import { at } from '../guard/listed.ts';
import { entryAt, heardAt, runaway, sightOf } from './guard-scene.ts';

function linesOf(changes: Readonly<Record<string, unknown>> = {}) {
  const sight = sightOf({ mode: 'enforce', policies: [{ ...runaway, ...changes }] });
  for (const now of [5000, 10_000, 15_000]) {
    sight.heard(heardAt(at(now), [entryAt(now, 0), entryAt(now, 0, { requestid: 'all' })]));
  }
  const samples = [...guardSamples(sight, ['m1', 'm2'], at(15_000))];
  return samples.map(({ metric, labels, value }) => `${metric.name} ${Object.values(labels).join(' ')} ${value}`);
}

describe('the metrics of the guard', () => {
  it('tell what was matched, what was left out, and which nodes are covered', () => {
    const lines = linesOf();
    expect(lines.filter((line) => !line.includes('void') || !line.endsWith(' 0'))).toEqual([
      'graphwarden_guard_mode runaway observe 1',
      'graphwarden_guard_mode runaway enforce 0',
      'graphwarden_guard_matches_total runaway m1 1',
      'graphwarden_guard_matches_total runaway m2 0',
      'graphwarden_guard_node_covered m1 1',
      'graphwarden_guard_void_total m1 entry id 3',
      'graphwarden_guard_node_covered m2 0',
    ]);
  });

  it('show each doubt from the start', () => {
    expect(linesOf().filter((line) => line.includes('void_total m2'))).toHaveLength(doubts.length);
  });

  it('say observe of a policy that is to enforce, since it is not', () => {
    expect(linesOf({ mode: 'enforce' })).toContain('graphwarden_guard_mode runaway observe 1');
  });

  it('are all declared', () => {
    const shown = new Set(linesOf().map((line) => line.split(' ')[0]));
    expect(shown).toEqual(new Set(guardMetrics.map(({ name }) => name)));
  });
});
