import { describe, expect, it } from 'vitest';
import { confirmedAt } from '../../../src/guard/confirmation.ts';
import { forgetful, initialView, isBlind, unviewed, type View, viewed } from '../../../src/guard/decision/view.ts';
import { readAnswer } from '../../../src/guard/listing.ts';
import { initialOffset } from '../../../src/guard/offset.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import { at, entryOf, idAt, listAt } from '../listed.ts';

const ways = [{ sightings: 2, apart: 5000 }];
const given = { instances: { own: 'RESTPP_1_1', others: new Set(['RESTPP_1_2']) }, ways };

function entry(now: Millis, changes: Readonly<Record<string, unknown>> = {}) {
  return entryOf({ elapsedTime: now, ...changes });
}

function look(view: View, now: Millis, body: unknown = { results: [entry(now)] }, times = listAt(now)) {
  const answer = readAnswer(body, view.list?.candidates);
  return viewed(view, { kind: 'listed', node: 'n1', times, address: 'a' }, { ...given, answer });
}

const first = look(initialView(), 1000).view;

describe('a good list', () => {
  it('has its entries, and where it came from', () => {
    expect(first.list).toMatchObject({ address: 'a', ids: new Set([idAt(0)]) });
    expect([...(first.list?.candidates.keys() ?? [])]).toEqual([idAt(0)]);
  });

  it('confirms what the one before had', () => {
    const witness = look(first, 6000).view.witnesses.get(idAt(0));
    expect(witness && confirmedAt(witness, 0)).toBe(at(6000).mono);
  });

  it('forgets what it does not have', () => {
    const gone = look(first, 6000, { results: [] }).view;
    expect([gone.witnesses.size, gone.list?.ids.size]).toEqual([0, 0]);
  });

  it('begins anew where there are other ways to confirm', () => {
    const input = { kind: 'listed', node: 'n1', times: listAt(6000), address: 'a' } as const;
    const answer = readAnswer({ results: [entry(6000)] });
    const { view } = viewed(first, input, { ...given, answer, ways: [...ways] });
    const witness = view.witnesses.get(idAt(0));
    expect(witness && confirmedAt(witness, 0)).toBeUndefined();
  });

  it('names those too that are left out', () => {
    const { view, leftOut } = look(first, 6000, {
      results: [entry(6000), { requestid: 'odd' }, entry(6000, { requestid: idAt(0, 7), elapsedTime: 99_999_999 })],
    });
    expect(leftOut).toEqual(['id', 'ages']);
    expect(view.list?.ids.size).toBe(3);
    expect(view.list?.candidates.size).toBe(1);
  });
});

describe('a void list', () => {
  it.each([
    ['malformed', { results: 'x' }, listAt(6000)],
    ['error', { error: true, results: [] }, listAt(6000)],
    ['duplicate_ids', { results: [entry(6000), entry(6000)] }, listAt(6000)],
    ['foreign_instance', { results: [entry(6000, { requestid: idAt(0, 1, 'RESTPP_1_2') })] }, listAt(6000)],
    ['too_slow', { results: [] }, listAt(6000, 3001)],
    ['clock_stepped', { results: [] }, { started: { ...at(5990), wall: 0 }, received: at(6000) }],
  ] as const)('%s: what was known stays', (reason, body, times) => {
    const { view, doubt } = look(first, 6000, body, times);
    expect(doubt).toBe(reason);
    expect([view.list, view.witnesses, view.voids]).toEqual([first.list, first.witnesses, 1]);
  });

  it('is one that did not come, too; three in a row are blindness, and a good one ends it', () => {
    let view = first;
    for (const blind of [false, false, true]) {
      const next = unviewed(view, 6000);
      view = next.view;
      expect([next.doubt, isBlind(view)]).toEqual(['failed', blind]);
    }
    expect(isBlind(look(view, 7000).view)).toBe(false);
  });
});

describe('after our clock was set', () => {
  it('all has to be seen anew', () => {
    const view = forgetful(first, initialOffset({ offset: 3 }));
    expect([view.list, view.witnesses.size, view.offset.offset]).toEqual([undefined, 0, 3]);
  });
});
