import { describe, expect, it } from 'vitest';
import { laggingEvent } from '../../src/track/source-lag.ts';

const known = { source: 'm1', eventNs: '1790000000000000009', laggingSince: undefined };
const older = { status: 'Down', timestampNs: '999999999999999999' };
const context = { source: 'm2', now: { wall: 1_790_000_000_000, mono: 200_000 } };

describe('an event of another source', () => {
  it.each([
    ['is no lag if the source is the same', known, older, { ...context, source: 'm1' }],
    ['is no lag if no source is known', { ...known, source: '' }, older, context],
    ['is no lag if it is newer', known, { ...older, timestampNs: '1790000000000000010' }, context],
    ['is no lag if its time is unknown', known, { ...older, timestampNs: '' }, context],
  ])('%s', (_, before, state, given) => {
    expect(laggingEvent(before, state, given)).toBeUndefined();
  });

  it.each([
    ['the first one', undefined, 'Down', { laggingSince: 200_000, isUsed: false }],
    ['one within two minutes', 80_001, 'Down', { laggingSince: 80_001, isUsed: false }],
    ['a later one', 80_000, 'Down', { laggingSince: 80_000, isUsed: true }],
    ['a later one that is online', 80_000, 'Online', { laggingSince: 80_000, isUsed: false }],
  ])('%s that is older is used or not', (_, laggingSince, status, expected) => {
    expect(laggingEvent({ ...known, laggingSince }, { ...older, status }, context)).toEqual(expected);
  });
});
