import { describe, expect, it } from 'vitest';
import { start, Tracking, told } from './tracking.ts';

describe('a node', () => {
  it('that comes back with another host id changes nothing about its services', () => {
    const tracking = new Tracking();
    for (const hostId of ['m1', 'm1', 'host-7f3a', 'host-7f3a']) {
      const event = {
        eventId: `${hostId}-event`,
        timestampNs: `${1_790_000_000_000_000_000n + BigInt(tracking.mono)}`,
      };
      tracking.answer([told('Online', event)], hostId);
    }
    expect(tracking.story).toEqual([' > Online']);
    expect(tracking.views).toHaveLength(1);
    expect(tracking.view().hardSince).toBe(start + 5000);
  });
});

describe('a change of the source', () => {
  const newer = { timestampNs: '1790000000000000009', eventId: 'newer' };
  const older = { timestampNs: '999999999999999999', eventId: 'older' };

  function downAt(source: string): Tracking {
    const tracking = new Tracking().says('Online', 'Online');
    tracking.answer([told('Down', newer)], source);
    tracking.answer([told('Down', newer)], source);
    return tracking;
  }

  it('does not bring back what was true before', () => {
    const tracking = downAt('m1');
    tracking.answer([told('Online', older)], 'm2');
    tracking.answer([told('Online', older)], 'm2');
    expect(tracking.view()).toMatchObject({ observed: 'Down', hard: 'Down' });
    expect(tracking.story).toEqual([' > Online', 'Online > Down']);
  });

  it('to one that stays behind leaves the replica unobserved, and what was hard as it was', () => {
    const tracking = downAt('m1');
    for (let time = 0; time < 10; time += 1) tracking.answer([told('Online', older)], 'm2');
    expect(tracking.view()).toMatchObject({ observed: 'unobserved', hard: 'Down' });
  });

  it('to one with the same news, or newer, is believed', () => {
    for (const timestampNs of [newer.timestampNs, '1790000000000000010']) {
      const tracking = downAt('m1');
      tracking.answer([told('Online', { timestampNs })], 'm2');
      expect(tracking.view().observed).toBe('Online');
    }
  });

  it('to one that lags behind but says the same is an observation', () => {
    const tracking = downAt('m1');
    for (let time = 0; time < 10; time += 1) tracking.answer([told('Down', older)], 'm2');
    expect(tracking.view().observed).toBe('Down');
    tracking.answer([told('Online', older)], 'm2');
    expect(tracking.view().observed).toBe('Down');
  });

  it('is none where the same node says it: its clock may have been set', () => {
    const tracking = downAt('m1');
    tracking.answer([told('Online', older)], 'm1');
    expect(tracking.view().observed).toBe('Online');
  });

  it.each(['', 'soon', '-5', '1e30'])('believes an event whose time is %j', (timestampNs) => {
    const tracking = downAt('m1');
    tracking.answer([told('Online', { timestampNs })], 'm2');
    expect(tracking.view().observed).toBe('Online');
  });

  it('does not move a status that both confirm', () => {
    const tracking = downAt('m1').unable();
    tracking.answer([told('Down', older)], 'm2');
    expect(tracking.view()).toMatchObject({ observed: 'Down', hard: 'Down' });
  });
});
