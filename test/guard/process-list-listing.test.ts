import { describe, expect, it } from 'vitest';
import { type ExpectedInstances, parseProcessList, staleness, validateList } from '../../src/guard/process-list.ts';
import { at, entryOf, idAt, listAt } from './observations.ts';

const own: ExpectedInstances = { own: 'RESTPP_1_1', others: new Set(['RESTPP_2_1']) };

function readListing(body: unknown, instances: ExpectedInstances) {
  return validateList(parseProcessList(body), instances);
}

function bodyOf(results: unknown, more: Readonly<Record<string, unknown>> = {}): unknown {
  return { version: {}, error: false, message: '', results, code: 'REST-0000', ...more };
}

describe('process list', () => {
  it('is empty on an idle node', () => {
    expect(readListing(bodyOf([]), own)).toMatchObject({ ok: true, value: { observations: [], skippedEntries: [] } });
  });

  it('skips an invalid entry, and reports the reason', () => {
    const odd = [entryOf({ requestid: 'all' }), entryOf({ requestid: idAt(2), elapsedTime: 'x' }), 7];
    const read = readListing(bodyOf([entryOf(), ...odd, entryOf({ requestid: idAt(3) })]), own);
    expect(read).toMatchObject({
      ok: true,
      value: { observations: [{ id: idAt(0) }, { id: idAt(3) }], skippedEntries: ['id', 'field', 'id'] },
    });
  });

  it.each([
    ['malformed', undefined],
    ['malformed', null],
    ['malformed', 'text'],
    ['malformed', []],
    ['malformed', {}],
    ['malformed', { error: false }],
    ['malformed', { error: false, results: {} }],
    ['malformed', { error: false, results: null }],
    ['malformed', { error: null, results: [] }],
    ['malformed', { error: 1, results: [] }],
    ['malformed', { error: 'no', results: [] }],
    ['error', { error: true, results: [] }],
    ['error', { error: 'true', results: [entryOf()] }],
    ['error', { error: true }],
  ])('is rejected as $0: $1', (error, body) => {
    expect(readListing(body, own)).toEqual({ ok: false, error });
  });

  it('is malformed if it has more entries than a server can run', () => {
    const sizeOf = (count: number) => parseProcessList(bodyOf(Array.from({ length: count }, () => 0)));
    expect(sizeOf(20_000)).toMatchObject({ ok: true });
    expect(sizeOf(20_001)).toEqual({ ok: false, error: 'malformed' });
  });

  it.each([[{ results: [] }], [{ error: 'false', results: [] }]])('is valid with %j', (body) => {
    expect(readListing(body, own).ok).toBe(true);
  });

  it.each([
    ['two equal entries', [entryOf(), entryOf()]],
    ['two entries that differ otherwise', [entryOf(), entryOf({ url: '/query/a/b', elapsedTime: 7 })]],
    ['one malformed entry', [entryOf(), { requestid: idAt(0) }]],
    ['an invalid id', [entryOf({ requestid: 'x' }), entryOf(), entryOf({ requestid: 'x' })]],
  ])('is rejected if an id occurs twice: %s', (_, entries) => {
    expect(readListing(bodyOf(entries), own)).toEqual({ ok: false, error: 'duplicate_ids' });
  });
});

describe('process list with an unexpected instance', () => {
  const foreign = { ok: false, error: 'foreign_instance' };
  const listOf = (instance: string) => bodyOf([entryOf(), entryOf({ requestid: idAt(1, 7, instance) })]);

  it('is rejected if one is not the instance of the node', () => {
    expect(readListing(listOf('RESTPP_1_1'), own).ok).toBe(true);
    expect(readListing(listOf('RESTPP_2_1'), own)).toEqual(foreign);
    expect(readListing(listOf('RESTPP_3_1'), own)).toEqual(foreign);
  });

  it('is rejected if one is the instance of another node and its own is unknown', () => {
    const unknown = { ...own, own: undefined };
    expect(readListing(listOf('RESTPP_2_1'), unknown)).toEqual(foreign);
  });

  it('is rejected if two are unknown, because one belongs to another node', () => {
    const nothing = { own: undefined, others: new Set<string>() };
    expect(readListing(listOf('RESTPP_3_1'), nothing)).toEqual(foreign);
    const alone = bodyOf([entryOf({ requestid: idAt(0, 7, 'RESTPP_3_1') })]);
    expect(readListing(alone, nothing).ok).toBe(true);
  });
});

describe('names in a process list', () => {
  const odd = [{ requestid: idAt(1, 7, 'RESTPP_2_1') }, entryOf({ requestid: 'all' }), entryOf({ requestid: 5 }), 7];

  it('are the instances of valid ids, and every id, even if the list is rejected', () => {
    const answer = parseProcessList(bodyOf([entryOf(), entryOf(), ...odd]));
    expect(answer).toMatchObject({ ok: true, value: { isRepeating: true } });
    expect(answer.ok && answer.value.instances).toEqual(new Set(['RESTPP_1_1', 'RESTPP_2_1']));
    expect(answer.ok && answer.value.ids).toEqual(new Set([idAt(0), idAt(1, 7, 'RESTPP_2_1'), 'all']));
  });

  it('are empty for an empty list', () => {
    const none = { instances: new Set(), ids: new Set(), isRepeating: false };
    expect(parseProcessList(bodyOf([]))).toMatchObject({ ok: true, value: none });
  });
});

describe('process list at the time of an abort', () => {
  it.each([
    ['new', 0, 1000, undefined],
    ['a second and its own duration old', 500, 1000, undefined],
    ['older', 500, 1001, 'too_old'],
    ['at the limit', 3000, 0, undefined],
    ['older than three seconds in total', 2500, 501, 'too_old'],
    ['slower', 3001, 0, 'too_slow'],
  ])('is %s', (_, duration, since, expected) => {
    expect(staleness(listAt(10_000, duration), at(10_000 + since))).toBe(expected);
  });

  it('is also too old by the wall clock, in either direction', () => {
    const now = at(10_100);
    const times = listAt(10_000, 50);
    expect(staleness(times, { ...now, wall: now.wall + 900 })).toBeUndefined();
    expect(staleness(times, { ...now, wall: now.wall + 901 })).toBe('too_old');
    expect(staleness(times, { ...now, wall: now.wall - 1200 })).toBeUndefined();
    expect(staleness(times, { ...now, wall: now.wall - 1201 })).toBe('too_old');
  });
});
