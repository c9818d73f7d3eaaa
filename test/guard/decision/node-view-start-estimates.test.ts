import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/guard/candidate.ts';
import {
  initialNodeView,
  type ListUpdate,
  type NodeView,
  type StartEstimates,
  updateStartEstimates,
  withBoundedAge,
  withList,
  withoutObservations,
} from '../../../src/guard/decision/node-view.ts';
import type { Observation } from '../../../src/guard/process-list.ts';
import { parseProcessList } from '../../../src/guard/process-list.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import { bound, candidate, policyOf } from '../match-inputs.ts';
import { at, entryOf, idAt, listAt, observationOf } from '../observations.ts';
import { GuardSimulation, settingsOf } from './guard-simulation.ts';

const id = idAt(0);
const listedBefore = listAt(5000, 100).started.mono;
const nothing: StartEstimates = new Map();
const candidates: ReadonlyMap<string, Candidate> = new Map([[id, candidate({ age: 4000 })]]);

/** What is known after a list of one entry. */
function estimatesAfter(elapsedTime: Millis, known = nothing, received: Millis = 10_000) {
  return updateStartEstimates(known, listOf(observationOf({ elapsedTime }), received));
}

function listOf(observation: Observation, received: Millis = 10_000): ListUpdate {
  const times = listAt(received, 100);
  return { observations: [observation], ids: new Set([id]), times, candidates, isSupported: () => true, listedBefore };
}

describe('new entry', () => {
  // The previous list was requested at 4900, so nothing that it lacks is older than 5100 ms.
  it.each([
    ['as old as the previous list allows', 5100, false, 4000],
    ['rounded to seconds by a drifting clock', 5100 * 1.02 + 1000, false, 4000],
    ['older than that', 5100 * 1.02 + 1001, true, 0],
  ])('may be $0, overstated: $2', (_, elapsed, isOverstated, age) => {
    expect(estimatesAfter(elapsed).get(id)).toMatchObject({ isOverstated, since: at(10_000 - age).mono });
  });

  it('may have any age in the first list', () => {
    const first = { ...listOf(observationOf({ elapsedTime: 900_000 })), listedBefore: undefined };
    expect(updateStartEstimates(nothing, first).get(id)?.isOverstated).toBe(false);
  });

  it('counts from its first list if the clock of the node contradicts its age, or no other query supports it', () => {
    const list = listOf(observationOf({ elapsedTime: 5000 }));
    const contradicted = updateStartEstimates(nothing, { ...list, candidates: new Map() }).get(id);
    const alone = updateStartEstimates(nothing, { ...list, isSupported: () => false }).get(id);
    expect(contradicted).toMatchObject({ isOverstated: true, since: at(10_000).mono });
    expect(alone).toEqual(contradicted);
    const first = updateStartEstimates(nothing, { ...list, isSupported: () => false, listedBefore: undefined }).get(id);
    expect(first).toMatchObject({ isOverstated: false, since: at(6000).mono });
  });
});

describe('known entry', () => {
  // It was requested at 9900 then, and 5000 ms old.
  const known = estimatesAfter(5000);

  it.each([
    ['by the time between the lists', 20_000, 15_100, false],
    ['by rounded seconds of a drifting clock', 20_000, 5000 + 10_100 * 1.02 + 1000, false],
    ['faster than that', 20_000, 5000 + 10_100 * 1.02 + 1001, true],
    ['backwards', 20_000, 1, false],
  ])('has an age that grows $0, overstated: $3', (_, received, elapsed, isOverstated) => {
    expect(estimatesAfter(elapsed, known, received).get(id)).toMatchObject({ isOverstated, since: at(6000).mono });
  });

  it('keeps its start estimate as long as lists contain it', () => {
    const wrong = estimatesAfter(900_000, known, 20_000);
    expect(estimatesAfter(25_100, wrong, 30_000)).toEqual(wrong);
    const gone = { ...listOf(observationOf(), 30_000), observations: [] };
    expect(updateStartEstimates(wrong, { ...gone, ids: new Set([id]) })).toEqual(wrong);
    expect(updateStartEstimates(wrong, { ...gone, ids: new Set(['other']) }).size).toBe(0);
  });

  it('is a new entry if its fields change', () => {
    const other = observationOf({ elapsedTime: 16_403, startTime: '2026-09-21 14:13:21.000' });
    const next = updateStartEstimates(known, listOf(other, 20_000));
    expect(next.get(id)).toMatchObject({ isOverstated: true, since: at(20_000).mono });
  });
});

describe('entry age', () => {
  const one = candidate({ age: { least: 60_000, most: 61_000 }, seen: 100_000 });
  const boundedBy = (length: Millis, isOverstated: boolean, of = one.observation.id) =>
    withBoundedAge(
      one,
      new Map([[of, { first: one.observation, listedAt: 0, since: at(100_000 - length).mono, isOverstated }]]),
    );
  const seenFor = (...how: Parameters<typeof boundedBy>) => boundedBy(...how).age;

  it('is limited to the observed time if the server overstates it', () => {
    expect(seenFor(4000, true)).toEqual({ least: 4000, most: 61_000 });
    expect(seenFor(4000, false)).toEqual({ least: 60_000, most: 61_000 });
    expect(seenFor(4000, true, 'other')).toEqual({ least: 60_000, most: 61_000 });
  });

  it('is at least the observed time for upper bounds', () => {
    expect(seenFor(90_000, true)).toEqual({ least: 60_000, most: 90_000 });
    expect(seenFor(90_000, false)).toEqual({ least: 60_000, most: 90_000 });
  });

  it('does not make the start later than the lists show, if the server sets its clock back', () => {
    expect(boundedBy(60_500, false).since).toBe(at(39_500).mono);
    expect(boundedBy(4000, false).since).toBe(at(40_000).mono);
    expect(boundedBy(4000, true).since).toBe(at(96_000).mono);
  });
});

function entry(requestid: string, elapsedTime: unknown) {
  return entryOf({ requestid, elapsedTime });
}

type GivenList = readonly [received: Millis, ...entries: readonly unknown[]];

/** Lists of one node, and the ages that count after each. */
function agesOf(ids: readonly string[], ...lists: readonly GivenList[]) {
  return agesAfterSteps((view) => view, ids, ...lists);
}

/** The same, with a change of the view before each list. */
function agesAfterSteps(before: (view: NodeView) => NodeView, ids: readonly string[], ...lists: readonly GivenList[]) {
  let view: NodeView = initialNodeView();
  return lists.map(([received, ...results]) => {
    view = before(view);
    const answer = parseProcessList({ results }, view.list?.candidates);
    const times = listAt(received);
    const instances = { own: 'RESTPP_1_1', others: new Set<string>() };
    const given = { answer, instances, confirmSettings: [], interval: 5000 };
    view = withList(view, { kind: 'listed', node: 'n1', times, connection: 'a' }, given).view;
    return ids.map((of) => view.list?.candidates.get(of)?.age.least);
  });
}

describe('server whose clock is set', () => {
  const hour = 3_600_000;
  const [a, b] = [idAt(0, 1), idAt(3000, 2)];
  const late = idAt(74_000, 4);

  const ages = agesOf.bind(undefined, [a, b]);
  const early = [30_000, entry(a, 30_000), entry(b, 27_000)] as const;
  // It came by the new clock, so the ids of all are an hour older from now on.
  const fresh = (now: Millis) => entry(idAt(now - 2000 + hour, 3), 2000);

  it('does not make running queries older', () => {
    const set = [35_000, entry(a, 35_000 + hour), entry(b, 32_000 + hour), fresh(35_000)] as const;
    expect(ages(early, set, [45_000, entry(a, 45_000 + hour), entry(b, 42_000 + hour)])).toEqual([
      [30_000, 27_000],
      [35_000, 32_000],
      [45_000, 42_000],
    ]);
  });

  it('does not confirm an age that it contradicts in the first list, after a gap in which the query could have begun', () => {
    const overstated = (now: Millis) => entry(late, now - 74_000 + 40_000);
    const set = [85_000, entry(a, 85_000), overstated(85_000), fresh(85_000)] as const;
    const found = agesOf([late], [30_000, entry(a, 30_000)], [75_000, entry(a, 75_000), overstated(75_000)], set);
    expect(found).toEqual([[undefined], [undefined], [10_000]]);
  });

  it('does not confirm an age after a gap in which it was set, if queries from before and after disagree', () => {
    const set = 43_000;
    const lists = (now: Millis) =>
      [
        now,
        entry(idAt(69_000, 5), now - 69_000),
        entry(late, now - 74_000 + 40_000),
        entry(idAt(76_000 + set, 6), now - 76_000),
      ] as const;
    expect(agesOf([late, idAt(69_000, 5)], [30_000], lists(80_000), lists(85_000))).toEqual([
      [undefined, undefined],
      [0, 11_000],
      [5000, 16_000],
    ]);
  });

  it('does not confirm an age after such a gap if the clock of graphwarden was set too', () => {
    // Two queries overstate their age by as much, so neither is alone.
    const lists = (now: Millis) =>
      [
        now,
        entry(late, now - 74_000 + 40_000),
        entry(idAt(75_000, 6), now - 75_000 + 40_000),
        entry(idAt(69_000, 5), now - 69_000),
      ] as const;
    const given = [[late, idAt(69_000, 5)], [30_000, entry(a, 30_000)], lists(80_000), lists(85_000)] as const;
    expect(agesOf(...given)).toEqual([
      [undefined, undefined],
      [0, 11_000],
      [5000, 16_000],
    ]);
    expect(agesAfterSteps((view) => withoutObservations(view, view.offset), ...given)).toEqual(agesOf(...given));
  });

  describe('whose clock is known from arrivals before a gap', () => {
    // The second query arrives between two lists, so the offset of the clock is known.
    const known = [
      [5000, entry(a, 5000)],
      [10_000, entry(a, 10_000), entry(idAt(8000, 2), 2000)],
    ] as const;
    /** A list with one query that begins in the gap; `ahead` is how much older its id and its elapsed time say it is. */
    const listed = (now: Millis, ahead: { readonly id: Millis; readonly elapsed: Millis }) =>
      entry(idAt(48_000 - ahead.id, 4), now - 48_000 + ahead.elapsed);
    const overstated = { id: 60_000, elapsed: 40_000 };
    const other = (now: Millis, set: Millis) => entry(idAt(49_000 - set, 5), now - 49_000);

    it.each([
      ['of the only query', overstated, undefined, [0, 5000]],
      ['that a query by the new clock contradicts', overstated, 60_000, [0, 5000]],
      [
        'by as much as the clock was set, if another query contradicts it',
        { id: 40_000, elapsed: 40_000 },
        40_000,
        [0, 5000],
      ],
    ])('does not confirm an overstated age %s', (_, ahead, set, expected) => {
      const lists = [50_000, 55_000].map(
        (now) => [now, listed(now, ahead), ...(set === undefined ? [] : [other(now, set)])] as const,
      );
      expect(
        agesOf([idAt(48_000 - ahead.id, 4)], ...known, ...lists)
          .slice(2)
          .flat(),
      ).toEqual(expected);
    });

    it('confirms the age of a query whose id agrees with that clock, also if it is the only one', () => {
      const right = { id: 0, elapsed: 0 };
      const alone = agesOf([idAt(48_000, 4)], ...known, [50_000, listed(50_000, right)]);
      expect(alone.at(-1)).toEqual([2000]);
      const both = agesOf([idAt(48_000, 4)], ...known, [50_000, listed(50_000, right), other(50_000, 0)]);
      expect(both.at(-1)).toEqual([2000]);
    });

    it('confirms the ages of two queries that agree with each other by another clock', () => {
      const set = { id: 60_000, elapsed: 0 };
      expect(agesOf([idAt(-12_000, 4)], ...known, [50_000, listed(50_000, set), other(50_000, 60_000)]).at(-1)).toEqual(
        [2000],
      );
    });
  });

  it('does not confirm an age of the only query after such a gap', () => {
    const lists = [
      [75_000, entry(late, 41_000)],
      [80_000, entry(late, 46_000)],
    ] as const;
    expect(agesOf([late], [30_000], ...lists)).toEqual([[undefined], [0], [5000]]);
    expect(agesOf([late], ...lists)).toEqual([[41_000], [46_000]]);
  });

  it('does not make queries older whose age was inconsistent before', () => {
    const odd = [35_000, entry(a, 'odd'), entry(b, 32_000)] as const;
    const set = [40_000, entry(a, 40_000 + hour), entry(b, 37_000), fresh(40_000)] as const;
    expect(ages(early, odd, set).at(-1)).toEqual([40_000, 37_000]);
    expect(ages([30_000, entry(a, 'odd'), entry(b, 27_000)], odd, set).at(-1)).toEqual([0, 37_000]);
  });
});

describe('server that overstates ages', () => {
  it('is not confirmed by a clock step: its query is aborted at the observed age', () => {
    let ahead = 0;
    const shifted = (text: string) => text.replace(/\d{13}/, (digits) => `${Number(digits) + ahead}`);
    const body = (entries: readonly unknown[]) => {
      const results = entries.flatMap((one) => {
        const { requestid, elapsedTime, ...rest } = { requestid: '', elapsedTime: 0, ...Object(one) };
        const overstatesAges = rest.url.endsWith('/liar');
        return [
          {
            ...rest,
            requestid: overstatesAges ? requestid : shifted(requestid),
            elapsedTime: elapsedTime + (overstatesAges ? 600_000 : 0),
          },
        ];
      });
      return { results };
    };
    const policy = policyOf({ age: bound('> 60000') }, { grace: 0 });
    const simulation = new GuardSimulation(settingsOf([policy]), { body }).begin();
    simulation.start({ lasts: 9000 });
    simulation.run(12_000);
    simulation.start({ url: '/query/fraud/liar' });
    simulation.run(8000);
    ahead = 600_000;
    simulation.start({ lasts: 9000 });
    expect(simulation.run(50_000).aborts).toEqual([]);
    expect(simulation.run(20_000).aborts.map(({ hit }) => hit?.url)).toEqual(['/query/fraud/liar']);
  });
});
