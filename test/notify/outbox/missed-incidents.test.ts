import { describe, expect, it } from 'vitest';
import {
  type MissedIncidents,
  mergeMissed,
  missedSince,
  noMissedIncidents,
  withMissed,
} from '../../../src/notify/outbox/missed-incidents.ts';
import { newQueuedIncident } from '../../../src/notify/outbox/queued-incident.ts';
import { firing } from '../delivery-testbed.ts';

const to = { receiver: 'one', group: {}, groupWait: 0 };
const now = { wall: 0, mono: 0 };

function folded(count: number, before: MissedIncidents = noMissedIncidents): MissedIncidents {
  let all = before;
  for (let number = 1; number <= count; number += 1) {
    const alert = { ...firing('a', before.count + number), status: 'resolved', endsAt: 2000 } as const;
    all = withMissed(all, newQueuedIncident(alert, to, 0, now));
  }
  return all;
}

describe('missed incidents', () => {
  it('have their times and summary', () => {
    expect(folded(1)).toEqual({
      count: 1,
      newest: [{ key: 'a', episode: 1, summary: 'a is wrong', severity: 'critical', startsAt: 1000, endsAt: 2000 }],
    });
  });

  it('are counted completely, with the newest 50 listed', () => {
    const all = folded(120);
    expect(all.count).toBe(120);
    expect(all.newest.map(({ episode }) => episode)).toEqual(Array.from({ length: 50 }, (_, at) => 71 + at));
  });

  it('have their summaries cut to 300 characters', () => {
    const alert = { ...firing('a'), annotations: { summary: 'x'.repeat(100_000) } };
    expect(withMissed(noMissedIncidents, newQueuedIncident(alert, to, 0, now)).newest[0]?.summary).toHaveLength(300);
  });

  it('have a summary and an end even if the alert has none', () => {
    const alert = { ...firing('a'), annotations: {} };
    expect(withMissed(noMissedIncidents, newQueuedIncident(alert, to, 0, now)).newest[0]).toMatchObject({
      summary: '',
      endsAt: 1000,
    });
  });

  it.each([
    [3, 0],
    [3, 2],
    [70, 5],
    [70, 60],
  ])('after a digest of %d keep the %d that were added later', (reported, later) => {
    const before = folded(reported);
    const rest = missedSince(folded(later, before), before);
    expect(rest.count).toBe(later);
    expect(rest.newest).toHaveLength(Math.min(50, later));
    expect(rest.newest.at(-1)?.episode).toBe(later === 0 ? undefined : reported + later);
  });

  it('after a digest keep an older one that a late state directory added while the digest was sent', () => {
    const [older, reported] = [folded(1), { ...folded(2), newest: folded(2).newest.slice(-1), count: 1 }];
    const rest = missedSince(mergeMissed(reported, older), reported);
    expect(rest.newest.map(({ episode }) => episode)).toEqual([1]);
    expect(rest.count).toBe(1);
  });
});
