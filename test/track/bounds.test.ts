import { describe, expect, it } from 'vitest';
import { bounded, mostReplicas } from '../../src/track/bounds.ts';
import { Tracking, told } from './tracking.ts';

const long = 'x'.repeat(100_000);

function crowd(count: number, status = 'Online') {
  return Array.from({ length: count }, (_, at) => told(status, { replica: String(at) }));
}

describe('what of an answer can be tracked', () => {
  it('is all of an ordinary one, untouched', () => {
    const states = crowd(3);
    const kept = bounded(states);
    expect(kept).toEqual(states);
    expect(kept[0]).toBe(states[0]);
  });

  it('is no instance without a proper name', () => {
    const odd = [
      told('Online', { service: long }),
      told('Online', { partition: long }),
      told('Online', { replica: long }),
    ];
    expect(bounded([...odd, told('Down')])).toEqual([told('Down')]);
  });

  it('is the beginning of long words', () => {
    const [kept] = bounded([told(long, { process: long, eventId: long })]);
    expect([kept?.status.length, kept?.process.length, kept?.eventId.length]).toEqual([256, 256, 256]);
  });
});

describe('an answer with more instances than a cluster can have', () => {
  it('is tracked as far as there is room, and says what is not', () => {
    const tracking = new Tracking();
    tracking.answer(crowd(mostReplicas + 7));
    expect(tracking.views).toHaveLength(mostReplicas);
    expect(tracking.shown('graphdb_services_untracked')).toBe(7);
  });

  it('does not push out those that are known', () => {
    const tracking = new Tracking().says('Online', 'Online');
    tracking.answer([...crowd(mostReplicas).slice(2), told('Down')]);
    expect(tracking.view()).toMatchObject({ observed: 'Down', hard: 'Online' });
    tracking.answer([told('Down')]);
    expect(tracking.view().hard).toBe('Down');
    expect(tracking.shown('graphdb_services_untracked')).toBe(0);
  });
});
