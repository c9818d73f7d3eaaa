import { describe, expect, it } from 'vitest';
import { differences } from './comparison.ts';
import type { Firing } from './recording.ts';

/** At 5 s a scrape it holds for 6 and is kept for 12; its edges may be 4 + 6 apart. */
const alert = 'GraphdbNodeUnreachable';

/** What fires scrape by scrape, `#` where it does. */
function firing(picture: string, name = alert): readonly (readonly Firing[])[] {
  return picture
    .split('')
    .map((sign) => (sign === '#' ? [{ alert: name, severity: 'critical', identity: { node: 'm1' } }] : []));
}

function at(from: number, length: number, all = 200): string {
  return '.'.repeat(from) + '#'.repeat(length) + '.'.repeat(all - from - length);
}

describe('a comparison of both engines', () => {
  it.each([
    { what: 'equal incidents', ours: at(20, 60), theirs: at(20, 60) },
    { what: 'starts and ends at the tolerance', ours: at(20, 60), theirs: at(30, 40) },
    { what: 'a short incident only in graphwarden', ours: at(20, 23), theirs: at(0, 0) },
    { what: 'a short incident only in Prometheus', ours: at(0, 0), theirs: at(20, 23) },
    { what: 'an interrupted start in graphwarden', ours: at(20, 23, 70) + at(30, 60, 130), theirs: at(100, 60) },
  ])('accepts $what', ({ ours, theirs }) => {
    expect(differences(firing(ours), firing(theirs), 5)).toEqual([]);
  });

  it.each([
    { what: 'an incident only in graphwarden', ours: at(20, 24), theirs: at(0, 0), report: '100-215 s and never' },
    { what: 'an incident only in Prometheus', ours: at(0, 0), theirs: at(20, 24), report: 'never and 100-215 s' },
    { what: 'a start that is too late', ours: at(20, 60), theirs: at(31, 49), report: '100-395 s and 155-395 s' },
    { what: 'an end that is too late', ours: at(20, 60), theirs: at(20, 71), report: '100-395 s and 100-450 s' },
    { what: 'an end that is too early', ours: at(20, 60), theirs: at(20, 49), report: '100-395 s and 100-340 s' },
  ])('reports $what', ({ ours, theirs, report }) => {
    expect(differences(firing(ours), firing(theirs), 5)).toEqual([`${alert} critical node=m1: ${report}`]);
  });

  it('reports an incident with another identity', () => {
    expect(differences(firing(at(20, 60)), firing(at(20, 60), 'GraphdbDelayQueuePressure'), 5)).toHaveLength(2);
  });

  it('accepts that graphwarden resolves an instance that flaps after the flapping', () => {
    const down = 'GraphdbServiceNotOnline';
    const [ours, theirs] = [firing(at(20, 60), down), firing(at(20, 30), down)];
    expect(differences(ours, theirs, 5)).toHaveLength(1);
    const flapping = firing(at(30, 50), 'GraphdbServiceFlapping');
    const both = (one: typeof ours) => one.map((alerts, scrape) => [...alerts, ...(flapping[scrape] ?? [])]);
    expect(differences(both(ours), both(theirs), 5)).toEqual([]);
    const brief = firing(at(30, 25), 'GraphdbServiceFlapping');
    const other = (one: typeof ours) => one.map((alerts, scrape) => [...alerts, ...(brief[scrape] ?? [])]);
    expect(differences(other(ours), other(theirs), 5)).toHaveLength(1);
  });
});
