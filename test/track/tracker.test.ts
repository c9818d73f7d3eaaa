import { describe, expect, it } from 'vitest';
import { start, Tracking, told } from './tracking.ts';

describe('what is observed', () => {
  it('begins with the first answer, and is hard after the second', () => {
    const tracking = new Tracking().says('Online');
    expect(tracking.view()).toMatchObject({ observed: 'Online', hard: 'unobserved' });
    expect(tracking.story).toEqual([' > Online']);
    tracking.says('Online');
    expect(tracking.view()).toMatchObject({ observed: 'Online', hard: 'Online', hardSince: start + 5000 });
    expect(tracking.hardStory).toEqual(['unobserved > Online']);
    expect(tracking.story).toHaveLength(1);
  });

  it('tells all of a change', () => {
    const tracking = new Tracking().says('Online', 'Online');
    const event = { eventId: 'e7', timestampNs: '1790000000000000007', process: 'Stopped' };
    tracking.answer([told('Down', event)], 'm2');
    expect(tracking.transitions.at(-1)).toEqual({
      cluster: 'prod',
      service: 'GPE',
      partition: '1',
      replica: '1',
      at: start + 15_000,
      from: 'Online',
      to: 'Down',
      process: 'Stopped',
      eventId: 'e7',
      eventNs: '1790000000000000007',
      lasted: 10_000,
      source: 'm2',
    });
  });

  it('is soft until it was confirmed, and a single other answer confirms nothing', () => {
    const tracking = new Tracking().says('Online', 'Online', 'Down', 'Online', 'Online');
    expect(tracking.hardStory).toEqual(['unobserved > Online']);
    expect(tracking.story).toEqual([' > Online', 'Online > Down', 'Down > Online']);
    expect(tracking.view()).toMatchObject({ hard: 'Online', hardSince: start + 5000 });
  });

  it('is hard at once where one reading is enough', () => {
    const tracking = new Tracking({ confirm: 1 }).says('Online', 'Down');
    expect(tracking.hardStory).toEqual(['unobserved > Online', 'Online > Down']);
  });

  it('is hard after a while too, without a further reading', () => {
    const tracking = new Tracking({ confirm: 10, hold: 8000 }).says('Online', 'Online', 'Online', 'Down');
    expect(tracking.view().hard).toBe('Online');
    tracking.pass(7999).step({ kind: 'beat' });
    expect(tracking.view().hard).toBe('Online');
    tracking.pass(1).step({ kind: 'beat' });
    expect(tracking.view()).toMatchObject({ hard: 'Down', hardSince: start + 20_000 });
  });
});
