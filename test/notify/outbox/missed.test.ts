import { describe, expect, it } from 'vitest';
import { newEpisode } from '../../../src/notify/outbox/episode.ts';
import { nothingFolded } from '../../../src/notify/outbox/folded.ts';
import { Missed } from '../../../src/notify/outbox/missed.ts';
import { accepted, firing, refused, unreachable } from '../delivering.ts';

const now = { wall: 5000, mono: 50 };

function episode(number: number, groupWait = 0) {
  return newEpisode(firing('a', number), { receiver: 'one', group: {}, groupWait }, 0, now);
}

describe('what a receiver has missed', () => {
  it('is nothing at first', () => {
    const missed = new Missed(nothingFolded);
    expect(missed.dueAt).toBeUndefined();
    expect(missed.letter(2, undefined)).toEqual({ kind: 'digest', folded: [], count: 0, open: 2 });
  });

  it('is told after the wait of its group, which does not begin anew with each', () => {
    const missed = new Missed(nothingFolded);
    missed.add([episode(1, 30_000)], now);
    missed.add([episode(2, 30_000)], { wall: 9000, mono: 4050 });
    expect(missed.dueAt).toBe(30_050);
  });

  it('is told since the receiver went away, where it did', () => {
    const missed = new Missed(nothingFolded);
    missed.add([episode(1)], now);
    expect(missed.letter(0, 700)).toMatchObject({ count: 1, since: 700 });
    expect(missed.letter(0, undefined)).not.toHaveProperty('since');
  });

  it('is over when it was accepted, but for what came in meanwhile', () => {
    const missed = new Missed(nothingFolded);
    missed.add([episode(1)], now);
    const told = missed.folded;
    missed.add([episode(2)], now);
    expect(missed.settle(told, accepted)).toBe(true);
    expect(missed.folded).toMatchObject({ count: 1, newest: [{ episode: 2 }] });
  });

  it('stays where it may not have arrived', () => {
    const missed = new Missed(nothingFolded);
    missed.add([episode(1)], now);
    expect(missed.settle(missed.folded, unreachable)).toBe(false);
    expect(missed.folded.count).toBe(1);
    expect(missed.detail).toBe('full');
  });

  it('is told in fewer and fewer words where it is refused, and then no more', () => {
    const missed = new Missed(nothingFolded);
    missed.add([episode(1)], now);
    const told = missed.folded;
    expect(missed.settle(told, refused)).toBe(false);
    expect(missed.detail).toBe('short');
    expect(missed.settle(told, refused)).toBe(false);
    expect(missed.detail).toBe('minimal');
    expect(missed.settle(told, refused)).toBe(true);
    expect(missed.detail).toBe('full');
    expect(missed.folded.count).toBe(0);
  });
});
