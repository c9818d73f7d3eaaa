import { describe, expect, it } from 'vitest';
import {
  afterStep,
  blinded,
  confirmation,
  type GoodList,
  seen,
  unconfirmed,
  unseen,
} from '../../src/app/node-sight.ts';
import type { EntryDoubt } from '../../src/guard/sighting.ts';
import { at, idAt, listAt, sightingOf } from '../guard/listed.ts';

const way = { sightings: 2, apart: 5000 };

/** A list that arrived at `received`, of queries that arrived at the epoch and have run since then. */
function listOf(received: number, changes: readonly Readonly<Record<string, unknown>>[] = [{}]): GoodList {
  const sightings = changes.map((change) => sightingOf({ elapsedTime: received, ...change }));
  return { node: 'm1', listing: { sightings, leftOut: [] }, times: listAt(received), ways: [way] };
}

describe('what a node has told', () => {
  it('is which queries run and how long, by its clock', () => {
    const { sight, doubts } = seen(unseen, listOf(8000));
    expect(doubts).toEqual([]);
    expect(sight.offset.offset).toBe(0);
    expect(sight.readAt).toBe(at(8000).mono);
    expect(sight.candidates.map(({ node, age, sighting }) => [node, age, sighting.query])).toEqual([
      ['m1', { least: 8000, most: 8000 }, 'ring_scan'],
    ]);
  });

  it('leaves out entries with their reasons, those whose ages disagree among them', () => {
    const first = seen(unseen, listOf(8000)).sight;
    const odd = { requestid: idAt(2000, 9), elapsedTime: 90_000 };
    const list = listOf(10_000, [{}, odd]);
    const leftOut: readonly EntryDoubt[] = ['field'];
    const { sight, doubts } = seen(first, { ...list, listing: { ...list.listing, leftOut } });
    expect(doubts).toEqual(['field', 'ages']);
    expect(sight.candidates.map(({ sighting }) => sighting.id)).toEqual([idAt(0)]);
  });

  it('confirms by the second sighting, and before that knows when it can be at the earliest', () => {
    const first = seen(unseen, listOf(8000)).sight;
    expect(confirmation(first, idAt(0), { index: 0, way })).toEqual({ isConfirmed: false, at: at(12_500).mono });
    const second = seen(first, listOf(13_000)).sight;
    expect(confirmation(second, idAt(0), { index: 0, way })).toEqual({ isConfirmed: true, at: at(13_000).mono });
    expect(confirmation(second, idAt(1), { index: 0, way })).toBeUndefined();
  });

  it('is forgotten about queries that are listed no more', () => {
    const first = seen(unseen, listOf(8000)).sight;
    const gone = seen(first, listOf(13_000, [])).sight;
    expect([gone.candidates, [...gone.witnesses]]).toEqual([[], []]);
    const again = seen(gone, listOf(18_000)).sight;
    expect(confirmation(again, idAt(0), { index: 0, way })?.isConfirmed).toBe(false);
  });

  it('is not what runs after a void list, while the rest stands', () => {
    const { sight } = seen(unseen, listOf(8000));
    const dark = blinded(sight);
    expect([dark.candidates, dark.readAt]).toEqual([[], undefined]);
    expect(confirmation(seen(dark, listOf(13_000)).sight, idAt(0), { index: 0, way })?.isConfirmed).toBe(true);
  });

  it('stands to our clock as it did after ours was set', () => {
    const { sight } = seen(unseen, listOf(8000));
    const stepped = afterStep(sight, 60_000);
    expect([stepped.offset.offset, stepped.candidates]).toEqual([60_000, []]);
  });

  it('is to be confirmed anew where that is asked for', () => {
    const { sight } = seen(unseen, listOf(8000));
    const again = seen(unconfirmed(sight), listOf(13_000)).sight;
    expect(again.offset.offset).toBe(0);
    expect(confirmation(again, idAt(0), { index: 0, way })?.isConfirmed).toBe(false);
  });
});
