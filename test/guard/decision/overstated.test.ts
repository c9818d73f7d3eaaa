import { describe, expect, it } from 'vitest';
import { overstated, restrained } from '../../../src/guard/decision/overstated.ts';
import { at, idAt, listAt, sightingOf } from '../listed.ts';
import { bound, candidate, policyOf } from '../scenes.ts';
import { settingsOf, World } from './world.ts';

const id = idAt(0);
const earlier = { times: listAt(5000, 100), ids: new Set(['other']) };
const times = listAt(10_000, 100);
const now = at(10_000).mono;

/** Since when an entry surely runs, if it was overstated. */
function since(elapsedTime: number, known = new Map<string, number>(), before: typeof earlier | undefined = earlier) {
  return overstated(known, [sightingOf({ elapsedTime })], { times, earlier: before }).get(id);
}

describe('an entry that is new in a list', () => {
  // The list before was asked for at 4900, so nothing that it lacks is older than 5100 ms.
  it.each([
    ['as old as it can be', 5100, undefined],
    ['in whole seconds, by a clock that drifts', 5100 * 1.02 + 1000, undefined],
    ['older', 5100 * 1.02 + 1001, now],
  ])('may be %s', (_, elapsed, expected) => {
    expect(since(elapsed)).toBe(expected);
  });

  it('may be of any age in the first list of all', () => {
    expect(overstated(new Map(), [sightingOf({ elapsedTime: 900_000 })], { times, earlier: undefined }).size).toBe(0);
  });

  it('is not new where the list before had it, however odd it was there', () => {
    expect(since(900_000, undefined, { ...earlier, ids: new Set([id]) })).toBeUndefined();
  });

  it('stays what it was found to be, for as long as it is listed', () => {
    const known = new Map([[id, 7]]);
    expect(since(1, known)).toBe(7);
    expect(since(900_000, known, { ...earlier, ids: new Set([id]) })).toBe(7);
    expect(overstated(known, [], { times, earlier }).size).toBe(0);
  });
});

describe('the age of an entry', () => {
  const one = candidate({ age: { least: 60_000, most: 61_000 }, seen: 10_000 });

  it.each([
    ['is what we have seen of it', [[one.sighting.id, now - 4000]], 4000],
    ['is no more for that', [[one.sighting.id, now - 90_000]], 60_000],
    ['is what it was where nothing is wrong', [['other', now - 4000]], 60_000],
  ] as const)('%s', (_, known, least) => {
    expect(restrained(one, new Map(known)).age).toEqual({ least, most: 61_000 });
  });
});

describe('a server that says too much of an age', () => {
  it('is not borne out by its clock, when that is set: its query is aborted when it is as old as we have seen', () => {
    let ahead = 0;
    const shifted = (text: string) => text.replace(/\d{13}/, (digits) => `${Number(digits) + ahead}`);
    const body = (entries: readonly unknown[]) => {
      const results = entries.flatMap((one) => {
        const { requestid, elapsedTime, ...rest } = { requestid: '', elapsedTime: 0, ...Object(one) };
        const isLiar = rest.url.endsWith('/liar');
        return [
          {
            ...rest,
            requestid: isLiar ? requestid : shifted(requestid),
            elapsedTime: elapsedTime + (isLiar ? 600_000 : 0),
          },
        ];
      });
      return { results };
    };
    const policy = policyOf({ age: bound('> 60000') }, { grace: 0 });
    const world = new World(settingsOf([policy]), { body }).begin();
    world.start({ lasts: 9000 });
    world.run(12_000);
    world.start({ url: '/query/fraud/liar' });
    world.run(8000);
    ahead = 600_000;
    world.start({ lasts: 9000 });
    expect(world.run(50_000).aborts).toEqual([]);
    expect(world.run(20_000).aborts.map(({ hit }) => hit?.url)).toEqual(['/query/fraud/liar']);
  });
});
