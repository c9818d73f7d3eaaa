import { describe, expect, it } from 'vitest';
import { probeFailed } from '../../../src/alert/rules/probe-failed.ts';
import { findings, firingIdentities, situationWith } from './rule-fixtures.ts';

const ring = { probe: 'ring' };

describe('probe_failed', () => {
  it.each([
    [0, ['ring']],
    [1, []],
  ])('where the success of the last run is %d', (success, firing) => {
    const situation = situationWith({ graphdb_probe_success: [[ring, success]] });
    expect(firingIdentities(probeFailed, situation).map((one) => one.trim())).toEqual(firing);
  });

  it('names the reason of the same node', () => {
    const onNode = (node: string) => ({ ...ring, node });
    const situation = situationWith({
      graphdb_probe_success: [
        [onNode('m1'), 0],
        [onNode('m2'), 1],
        [{ probe: 'other' }, 0],
      ],
      graphdb_probe_failing: [
        [{ ...onNode('m2'), reason: 'timeout' }, 1],
        [{ ...onNode('m1'), reason: 'count' }, 1],
      ],
    });
    expect(findings(probeFailed, situation).map(({ labels, facts }) => ({ ...labels, ...facts }))).toEqual([
      { probe: 'ring', node: 'm1', place: 'prod/m1', reason: 'count' },
      { probe: 'other', node: '', place: 'prod', reason: 'unknown' },
    ]);
  });

  it('fires after two runs at least', () => {
    const view = { collector: 'probe_ring', node: '', fresh: true, reason: '', message: '', dueSince: 0 } as const;
    const lengths = [60_000, 300_000].map((interval) => {
      const collectors = [{ ...view, interval }];
      return findings(probeFailed, situationWith({ graphdb_probe_success: [[ring, 0]] }, { collectors }))[0]?.for;
    });
    expect(lengths).toEqual([120_000, 330_000]);
  });

  it('has fresh facts only of probes that are not overdue or are removed, and reports where the probe succeeds', () => {
    const view = { collector: 'probe_ring', node: '', fresh: false, reason: '', message: '', dueSince: 0 } as const;
    const situation = situationWith({}, { collectors: [view] });
    expect(probeFailed.knows?.({ ...situation, collectors: [], isFresh: () => false }, ring)).toBe(true);
    expect(probeFailed.knows?.({ ...situation, isFresh: () => false }, { ...ring, node: 'm1' })).toBe(true);
    expect(probeFailed.knows?.({ ...situation, isFresh: (name) => name === 'probe_ring' }, ring)).toBe(true);
    expect(probeFailed.knows?.({ ...situation, isFresh: () => false }, ring)).toBe(false);
    expect(probeFailed.current?.(situation, { ...ring, node: 'm1' })).toEqual({ place: 'prod/m1' });
    expect(probeFailed.current?.(situation, ring)).toEqual({ place: 'prod' });
  });
});
