import { describe, expect, it } from 'vitest';
import { SampleCapture } from '../../../src/app/poll/sample-capture.ts';
import { gauge, sample } from '../../../src/metric/metric.ts';
import { feed } from './pipeline-setup.ts';

const load = gauge({ name: 'graphdb_load', help: 'Load.', labels: ['host_id'], source: 'test' });
const heat = gauge({ name: 'graphdb_heat', help: 'Heat.', source: 'test' });

function samples(...values: readonly number[]) {
  return [...values.map((value) => sample(load, { host_id: `m${value}` }, value)), sample(heat, {}, 7)];
}

/** Lets everything pass. */
function drain(passing: Iterable<unknown>): number {
  return [...passing].length;
}

describe('sample capture', () => {
  it('passes all samples on and keeps the wanted ones', () => {
    const tap = new SampleCapture(new Set(['graphdb_load']));
    expect([...tap.pass(samples(1, 2))]).toEqual(samples(1, 2));
    expect(tap.family('graphdb_load')).toEqual([
      { labels: { host_id: 'm1' }, value: 1 },
      { labels: { host_id: 'm2' }, value: 2 },
    ]);
    expect(tap.family('graphdb_heat')).toEqual([]);
  });

  it('keeps the former samples until the last new sample has passed', () => {
    const tap = new SampleCapture(new Set(['graphdb_load']));
    drain(tap.pass(samples(1)));
    const passing = tap.pass(samples(2, 3));
    passing.next();
    expect(tap.family('graphdb_load')).toHaveLength(1);
    drain(passing);
    expect(tap.family('graphdb_load').map(({ value }) => value)).toEqual([2, 3]);
  });

  it('is empty after it is cleared', () => {
    const tap = new SampleCapture(new Set(['graphdb_load']));
    drain(tap.pass(samples(1)));
    tap.clear();
    expect(tap.family('graphdb_load')).toEqual([]);
  });

  it('keeps families that are requested later from the next pass on', () => {
    const wanted = new Set<string>();
    const tap = new SampleCapture(wanted);
    drain(tap.pass(samples(1)));
    wanted.add('graphdb_heat');
    expect(tap.family('graphdb_heat')).toEqual([]);
    drain(tap.pass(samples(1)));
    expect(tap.family('graphdb_heat')).toEqual([{ labels: {}, value: 7 }]);
  });

  it('labels the samples of a node once for each pass', () => {
    const tap = new SampleCapture(new Set(['graphdb_load']));
    const health = feed('health', 'm7');
    expect(tap.facts('graphdb_load', health)).toEqual([]);
    drain(tap.pass(samples(1)));
    const facts = tap.facts('graphdb_load', health);
    expect(facts).toEqual([{ labels: { host_id: 'm1', node: 'm7' }, value: 1 }]);
    expect(tap.facts('graphdb_load', health)).toBe(facts);
    drain(tap.pass(samples(2)));
    expect(tap.facts('graphdb_load', health)).toEqual([{ labels: { host_id: 'm2', node: 'm7' }, value: 2 }]);
  });
});
