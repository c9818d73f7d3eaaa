import { describe, expect, it } from 'vitest';
import { between, moved, type TimeView, viewLengths, windowOf, zoomed } from '../../page/src/time-view.ts';

const hour = 3_600_000;
const now = 1000 * hour;
const live: TimeView = { length: 6 * hour, end: undefined };
const past: TimeView = { length: 6 * hour, end: now - 100 * hour };

describe('time view', () => {
  it('ends now unless it has an end', () => {
    expect(windowOf(live, now)).toEqual({ from: now - 6 * hour, to: now });
    expect(windowOf(past, now)).toEqual({ from: now - 106 * hour, to: now - 100 * hour });
  });

  it('zooms to the next length, and keeps its middle or the present time', () => {
    expect(zoomed(live, 'in', now)).toEqual({ length: 3 * hour, end: undefined });
    expect(zoomed(live, 'out', now)).toEqual({ length: 12 * hour, end: undefined });
    expect(zoomed(past, 'in', now)).toEqual({ length: 3 * hour, end: now - 101.5 * hour });
    expect(zoomed(past, 'out', now)).toEqual({ length: 12 * hour, end: now - 97 * hour });
  });

  it('has lengths from 1 h to 30 d', () => {
    expect([viewLengths[0], viewLengths.at(-1)]).toEqual([hour, 30 * 24 * hour]);
    expect(zoomed({ length: hour, end: undefined }, 'in', now).length).toBe(hour);
    expect(zoomed({ length: 30 * 24 * hour, end: undefined }, 'out', now).length).toBe(30 * 24 * hour);
  });

  it('moves by half its length, and never past the present time', () => {
    expect(moved(past, 'earlier', now)).toEqual({ length: 6 * hour, end: now - 103 * hour });
    expect(moved(past, 'later', now)).toEqual({ length: 6 * hour, end: now - 97 * hour });
    expect(moved({ length: 6 * hour, end: now - hour }, 'later', now)).toEqual(live);
    expect(moved(live, 'earlier', now)).toEqual({ length: 6 * hour, end: now - 3 * hour });
  });

  it('shows the time between two moments, in either order, within the limits of its length', () => {
    expect(between(now - 8 * hour, now - 10 * hour, now)).toEqual({ length: 2 * hour, end: now - 8 * hour });
    expect(between(now - 8 * hour, now - 8 * hour, now)).toEqual({ length: hour, end: now - 7.5 * hour });
    expect(between(now - hour, now, now)).toEqual({ length: hour, end: undefined });
  });
});
