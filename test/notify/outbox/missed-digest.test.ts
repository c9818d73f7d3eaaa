import { describe, expect, it } from 'vitest';
import { MissedDigest } from '../../../src/notify/outbox/missed-digest.ts';
import { noMissedIncidents } from '../../../src/notify/outbox/missed-incidents.ts';
import { newQueuedIncident } from '../../../src/notify/outbox/queued-incident.ts';
import { accepted, firing, refused, unreachable } from '../delivery-testbed.ts';

const now = { wall: 5000, mono: 50 };

function incident(number: number, groupWait = 0) {
  return newQueuedIncident(firing('a', number), { receiver: 'one', group: {}, groupWait }, 0, now);
}

describe('digest of missed incidents', () => {
  it('is empty at first', () => {
    const missed = new MissedDigest(noMissedIncidents);
    expect(missed.dueAt).toBeUndefined();
    expect(missed.action(2, undefined).choice.request).toEqual({ kind: 'digest', missed: [], count: 0, open: 2 });
  });

  it('is due after the group wait of the first incident, which later incidents do not extend', () => {
    const missed = new MissedDigest(noMissedIncidents);
    missed.add([incident(1, 30_000)], now);
    missed.add([incident(2, 30_000)], { wall: 9000, mono: 4050 });
    expect(missed.dueAt).toBe(30_050);
  });

  it('has the start of the outage, if there was one', () => {
    const missed = new MissedDigest(noMissedIncidents);
    missed.add([incident(1)], now);
    expect(missed.action(0, 700).choice.request).toMatchObject({ count: 1, since: 700 });
    expect(missed.action(0, undefined).choice.request).not.toHaveProperty('since');
  });

  it('is finished when it is accepted, except for incidents that were added since', () => {
    const missed = new MissedDigest(noMissedIncidents);
    missed.add([incident(1)], now);
    const reported = missed.incidents;
    missed.add([incident(2)], now);
    expect(missed.settle(reported, accepted)).toBe(true);
    expect(missed.incidents).toMatchObject({ count: 1, newest: [{ episode: 2 }] });
  });

  it('is kept if its delivery is uncertain', () => {
    const missed = new MissedDigest(noMissedIncidents);
    missed.add([incident(1)], now);
    expect(missed.settle(missed.incidents, unreachable)).toBe(false);
    expect(missed.incidents.count).toBe(1);
    expect(missed.detail).toBe('full');
  });

  it('is retried with less detail after a rejection, then dropped', () => {
    const missed = new MissedDigest(noMissedIncidents);
    missed.add([incident(1)], now);
    const reported = missed.incidents;
    expect(missed.settle(reported, refused)).toBe(false);
    expect(missed.detail).toBe('short');
    expect(missed.settle(reported, refused)).toBe(false);
    expect(missed.detail).toBe('minimal');
    expect(missed.settle(reported, refused)).toBe(true);
    expect(missed.detail).toBe('full');
    expect(missed.incidents.count).toBe(0);
  });
});
