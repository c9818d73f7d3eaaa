import { describe, expect, it } from 'vitest';
import { initialOffset } from '../../../src/guard/clock-offset.ts';
import { confirmedAt } from '../../../src/guard/confirmation.ts';
import {
  initialNodeView,
  isBlind,
  type NodeView,
  withList,
  withMissingList,
  withoutObservations,
} from '../../../src/guard/decision/node-view.ts';
import { parseProcessList } from '../../../src/guard/process-list.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import { at, entryOf, idAt, listAt } from '../observations.ts';

const confirmSettings = [{ observations: 2, apart: 5000 }];
const given = { instances: { own: 'RESTPP_1_1', others: new Set(['RESTPP_1_2']) }, confirmSettings, interval: 5000 };

function entry(now: Millis, changes: Readonly<Record<string, unknown>> = {}) {
  return entryOf({ elapsedTime: now, ...changes });
}

function look(view: NodeView, now: Millis, body: unknown = { results: [entry(now)] }, times = listAt(now)) {
  const answer = parseProcessList(body, view.list?.candidates);
  return withList(view, { kind: 'listed', node: 'n1', times, connection: 'a' }, { ...given, answer });
}

const first = look(initialNodeView(), 1000).view;

describe('valid list', () => {
  it('has entries and a source node', () => {
    expect(first.list).toMatchObject({ connection: 'a', ids: new Set([idAt(0)]) });
    expect([...(first.list?.candidates.keys() ?? [])]).toEqual([idAt(0)]);
  });

  it('confirms entries of the previous list', () => {
    const confirmation = look(first, 6000).view.histories.get(idAt(0));
    expect(confirmation && confirmedAt(confirmation, 0)).toBe(at(6000).mono);
  });

  it('removes entries that it does not contain, and keeps their history for five minutes', () => {
    const gone = look(first, 6000, { results: [] }).view;
    expect([gone.histories.size, gone.startEstimates.size, gone.list?.ids.size]).toEqual([1, 1, 0]);
    const later = look(gone, 400_000, { results: [] }).view;
    expect([later.histories.size, later.startEstimates.size]).toEqual([0, 0]);
  });

  it('continues the history of an entry that reappears', () => {
    const gone = look(first, 6000, { results: [] }).view;
    const again = look(gone, 12_000).view.histories.get(idAt(0));
    expect(again?.first).toBe(first.histories.get(idAt(0))?.first);
    expect(again && confirmedAt(again, 0)).toBe(at(12_000).mono);
  });

  it('starts the confirmation again if the confirmation settings change', () => {
    const input = { kind: 'listed', node: 'n1', times: listAt(6000), connection: 'a' } as const;
    const answer = parseProcessList({ results: [entry(6000)] });
    const { view } = withList(first, input, { ...given, answer, confirmSettings: [...confirmSettings] });
    const confirmation = view.histories.get(idAt(0));
    expect(confirmation && confirmedAt(confirmation, 0)).toBeUndefined();
  });

  it('reports skipped entries', () => {
    const { view, skippedEntries } = look(first, 6000, {
      results: [entry(6000), { requestid: 'odd' }, entry(6000, { requestid: idAt(0, 7), elapsedTime: 99_999_999 })],
    });
    expect(skippedEntries).toEqual(['id', 'ages']);
    expect(view.list?.ids.size).toBe(3);
    expect(view.list?.candidates.size).toBe(1);
  });
});

describe('rejected list', () => {
  it.each([
    ['malformed', { results: 'x' }, listAt(6000)],
    ['error', { error: true, results: [] }, listAt(6000)],
    ['duplicate_ids', { results: [entry(6000), entry(6000)] }, listAt(6000)],
    ['foreign_instance', { results: [entry(6000, { requestid: idAt(0, 1, 'RESTPP_1_2') })] }, listAt(6000)],
    ['too_slow', { results: [] }, listAt(6000, 3001)],
    ['clock_stepped', { results: [] }, { started: { ...at(5990), wall: 0 }, received: at(6000) }],
  ] as const)('%s: known entries remain', (reason, body, times) => {
    const { view, skipReason } = look(first, 6000, body, times);
    expect(skipReason).toBe(reason);
    expect([view.list, view.histories, view.rejectedLists]).toEqual([first.list, first.histories, 1]);
  });

  it('includes a failed poll: three in a row make the node not covered, and a valid list makes it covered again', () => {
    let view = first;
    for (const blind of [false, false, true]) {
      const next = withMissingList(view, { now: 6000, interval: 5000 });
      view = next.view;
      expect([next.skipReason, isBlind(view)]).toEqual(['failed', blind]);
    }
    expect(isBlind(look(view, 7000).view)).toBe(false);
  });
});

describe('duration of list requests while a node is away', () => {
  it('is the duration of each failed request, independent of the time of the list request', () => {
    let view: NodeView = { ...first, pace: { ...first.pace, requestedAt: 1000, isRequesting: false } };
    for (const started of [60_000, 120_000, 245_000]) {
      view = withMissingList(view, { started, now: started + 1000, interval: 5000 }).view;
      expect(view.pace).toMatchObject({ duration: 1000, isRequesting: false });
    }
    expect(withMissingList(view, { now: 400_000, interval: 5000 }).view.pace.duration).toBe(0);
  });

  it('is the time since the request of the guard if the failure has no start', () => {
    const view = { ...first, pace: { ...first.pace, requestedAt: 5000, isRequesting: true } };
    expect(withMissingList(view, { now: 6000, interval: 5000 }).view.pace.duration).toBe(1000);
  });
});

describe('node view after a step of the local clock', () => {
  it('has no confirmed query', () => {
    const view = withoutObservations(first, initialOffset({ offset: 3 }));
    expect([view.list, view.histories.size, view.offset.offset]).toEqual([undefined, 0, 3]);
  });
});
