import { describe, expect, it } from 'vitest';
import { probeSlow } from '../../../src/alert/rules/probe-slow.ts';
import { findings, firingIdentities, situationWith } from './rule-fixtures.ts';

const ring = { probe: 'ring', node: 'm1' };

describe('probe_slow', () => {
  it.each([
    [0.41, ['ring m1']],
    [0.4, []],
    [0.1, []],
  ])('where a run of at most 0.5 s takes %d s', (duration, firing) => {
    const situation = situationWith({
      graphdb_probe_duration_seconds: [[ring, duration]],
      graphdb_probe_duration_limit_seconds: [
        [{ ...ring, node: 'm2' }, 0.01],
        [ring, 0.5],
      ],
    });
    expect(firingIdentities(probeSlow, situation)).toEqual(firing);
  });

  it('states the share, also of a probe of the whole cluster, and needs the limit', () => {
    const probe = { probe: 'ring' };
    const limited = situationWith({
      graphdb_probe_duration_seconds: [[probe, 9]],
      graphdb_probe_duration_limit_seconds: [[probe, 10]],
    });
    expect(findings(probeSlow, limited)[0]?.facts).toEqual({ place: 'prod', share: '90 %' });
    expect(findings(probeSlow, situationWith({ graphdb_probe_duration_seconds: [[probe, 9]] }))).toEqual([]);
  });

  it('is silent about a probe that fails', () => {
    const situation = situationWith({
      graphdb_probe_duration_seconds: [[ring, 0.5]],
      graphdb_probe_duration_limit_seconds: [[ring, 0.5]],
      graphdb_probe_success: [[ring, 0]],
    });
    expect(firingIdentities(probeSlow, situation)).toEqual([]);
  });

  it('has fresh facts only of probes that are not overdue, and reports where the probe is fast', () => {
    const view = { collector: 'probe_ring', node: 'm1', fresh: false, reason: '', message: '', dueSince: 0 } as const;
    const situation = situationWith({}, { collectors: [view] });
    expect(probeSlow.knows?.({ ...situation, isFresh: () => false }, ring)).toBe(false);
    expect(probeSlow.current?.(situation, ring)).toEqual({ place: 'prod/m1' });
  });
});
