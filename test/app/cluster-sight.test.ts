import { describe, expect, it } from 'vitest';
import { type ClusterSight, opinionKey } from '../../src/app/cluster-sight.ts';
import { doubts } from '../../src/app/guard-counts.ts';
import type { HeardList } from '../../src/graphdb/overheard.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err } from '../../src/kernel/result.ts';
import type { Instant } from '../../src/kernel/time.ts';
import { at, epoch, idAt } from '../guard/listed.ts';
import { entryAt, guardOf, heardAt, runaway, sightOf } from './guard-scene.ts';

/** Lists the query that arrived at the epoch, every five seconds up to `last`. */
function listedUntil(sight: ClusterSight, last: number, first = 5000): void {
  for (let now = first; now <= last; now += 5000) sight.heard(heardAt(at(now), [entryAt(now, 0)]));
}

/** Which policy says what of the query that arrived at the epoch, in ms after it. */
function opinionOf(sight: ClusterSight, now: number, id = idAt(0)) {
  const opinion = sight.opinions(at(now)).get(opinionKey('m1', id));
  if (opinion === undefined) return undefined;
  return [opinion.match.policy.name, opinion.matchesAt - at(0).mono, opinion.isMatched];
}

/** What the clocks say when the wall clock was set forward by an hour. */
function hourLater(now: number): Instant {
  return { mono: at(now).mono, wall: epoch + now + 3_600_000 };
}

/** The query that arrived at the epoch, on a node of which the configuration does not name the instance. */
function listOfSecond(now: number): HeardList {
  return heardAt(at(now), [entryAt(now, 0, { requestid: idAt(0, 1, 'RESTPP_2_1') })], 'm2');
}

function voidsOf(sight: ClusterSight, node = 'm1'): readonly string[] {
  const told = doubts.map((doubt) => `${doubt.scope} ${doubt.reason} ${sight.counts(node).voids(doubt)}`);
  return told.filter((line) => !line.endsWith(' 0'));
}

describe('the eyes on a cluster', () => {
  it('know beforehand when a query will match', () => {
    const sight = sightOf({ policies: [runaway] });
    listedUntil(sight, 5000);
    expect(opinionOf(sight, 5000)).toEqual(['runaway', 10_000, false]);
    expect(opinionOf(sight, 7000)).toEqual(['runaway', 10_000, false]);
  });

  it('count a match when it is confirmed and its time has come, once', () => {
    const sight = sightOf({ policies: [runaway] });
    listedUntil(sight, 10_000);
    expect([opinionOf(sight, 10_001), sight.counts('m1').matches('runaway')]).toEqual([['runaway', 10_000, true], 0]);
    sight.beat(at(10_001));
    expect(sight.counts('m1').matches('runaway')).toBe(1);
    listedUntil(sight, 30_000, 15_000);
    expect([opinionOf(sight, 30_000), sight.counts('m1').matches('runaway')]).toEqual([['runaway', 10_000, true], 1]);
  });

  it('have M no earlier than the confirmation', () => {
    const sight = sightOf({ policies: [runaway] });
    listedUntil(sight, 20_000, 20_000);
    expect([opinionOf(sight, 20_000), sight.counts('m1').matches('runaway')]).toEqual([['runaway', 24_500, false], 0]);
    listedUntil(sight, 25_000, 25_000);
    expect([opinionOf(sight, 25_000), sight.counts('m1').matches('runaway')]).toEqual([['runaway', 25_000, true], 1]);
  });

  it('know the owner of what several policies match, and the first to match of what none does yet', () => {
    const policies = [
      { name: 'late', when: { age: '> 1m' } },
      { name: 'soon', when: { age: '> 20s' } },
      { name: 'other', when: { age: '> 5s', graph: 'risk' } },
    ];
    const sight = sightOf({ policies });
    listedUntil(sight, 10_000);
    expect(opinionOf(sight, 10_000)).toEqual(['soon', 20_000, false]);
    listedUntil(sight, 65_000, 15_000);
    expect(opinionOf(sight, 65_000)).toEqual(['late', 60_000, true]);
    expect(['late', 'soon', 'other'].map((name) => sight.counts('m1').matches(name))).toEqual([1, 1, 0]);
  });

  it('have no opinion on what is protected, or no installed query, or listed no more', () => {
    const sight = sightOf({ policies: [runaway], protect: [{ query: 'nightly_*' }] });
    const others = [
      { requestid: idAt(0, 1), url: '/query/fraud/nightly_load' },
      { requestid: idAt(0, 2), url: '/interpreted_query?secret=1' },
    ];
    for (const now of [5000, 10_000, 15_000]) {
      sight.heard(heardAt(at(now), [entryAt(now, 0), ...others.map((other) => entryAt(now, 0, other))]));
    }
    expect([...sight.opinions(at(15_000)).keys()]).toEqual([opinionKey('m1', idAt(0))]);
    sight.heard(heardAt(at(20_000), []));
    expect([...sight.opinions(at(20_000))]).toEqual([]);
  });

  it('know nothing by a list that has become too old', () => {
    const sight = sightOf({ policies: [runaway] });
    listedUntil(sight, 15_000);
    expect([sight.opinions(at(29_999)).size, sight.isCovered('m1', at(29_999))]).toEqual([1, true]);
    expect([sight.opinions(at(30_000)).size, sight.isCovered('m1', at(30_000))]).toEqual([0, false]);
  });

  it('look at nothing where no policy concerns the cluster', () => {
    const sight = sightOf({ policies: [{ ...runaway, clusters: ['test'] }] });
    sight.heard(heardAt(at(5000), 'no list' as never));
    sight.beat(at(6000));
    expect([sight.policies, voidsOf(sight), sight.isCovered('m1', at(6000))]).toEqual([[], [], false]);
  });

  it('wait for the pressure that a policy asks for', () => {
    const gate = { any: [{ queue_depth: '> 20', for: '10s' }] };
    const sight = sightOf({ policies: [{ ...runaway, gate }] });
    const press = (now: number, value: number) =>
      sight.pressed({ node: 'm1', source: 'queue_depth', value, at: at(now).mono, interval: 5000 });
    listedUntil(sight, 20_000);
    for (const now of [10_000, 15_000]) press(now, 30);
    expect(opinionOf(sight, 20_000)).toBeUndefined();
    press(20_000, 30);
    expect(opinionOf(sight, 20_000)).toEqual(['runaway', 20_000, true]);
    press(21_000, 0);
    expect(opinionOf(sight, 21_000)).toBeUndefined();
  });

  it('see the company that a query has on all nodes', () => {
    const group = { by: ['graph', 'query'], count: '>= 2' };
    const sight = sightOf({ policies: [{ ...runaway, group }] });
    listedUntil(sight, 15_000);
    expect(opinionOf(sight, 15_000)).toBeUndefined();
    const company = entryAt(16_000, 0, { requestid: idAt(0, 7, 'RESTPP_2_1') });
    sight.heard(heardAt(at(16_000), [company], 'm2'));
    expect(opinionOf(sight, 16_000)).toEqual(['runaway', 16_000, true]);
  });
});

describe('a doubt of the eyes', () => {
  it('about one entry leaves the others', () => {
    const sight = sightOf({ policies: [runaway] });
    const odd = [entryAt(5000, 0, { requestid: 'all' }), entryAt(5000, 0, { requestid: idAt(0, 4), startTime: 'now' })];
    sight.heard(heardAt(at(5000), [entryAt(5000, 0), ...odd]));
    expect(voidsOf(sight)).toEqual(['entry id 1', 'entry field 1']);
    expect(sight.opinions(at(5000)).size).toBe(1);
  });

  it.each([
    ['malformed', heardAt(at(20_000), 7 as never)],
    ['duplicate_ids', heardAt(at(20_000), [entryAt(20_000, 0), entryAt(20_000, 0)])],
    ['foreign_instance', heardAt(at(20_000), [entryAt(20_000, 0, { requestid: idAt(0, 1, 'RESTPP_2_1') })])],
    ['too_slow', { ...heardAt(at(20_000), []), started: at(16_900) }],
    ['malformed', { ...heardAt(at(20_000), []), answer: err(failure('body', 'no JSON')) }],
    ['error', { ...heardAt(at(20_000), []), answer: err(failure('body', 'an error', { code: 'REST-1000' })) }],
  ])('that makes a list void for %s takes all that is known of what runs on the node', (reason, heard) => {
    const sight = sightOf({ policies: [runaway] });
    listedUntil(sight, 15_000);
    sight.heard(heard);
    expect(voidsOf(sight)).toEqual([`list ${reason} 1`]);
    expect([sight.opinions(at(20_000)).size, sight.isCovered('m1', at(20_000))]).toEqual([0, false]);
    listedUntil(sight, 25_000, 25_000);
    expect([opinionOf(sight, 25_000), sight.isCovered('m1', at(25_000))]).toEqual([['runaway', 10_000, true], true]);
  });

  it('is none where no list came at all', () => {
    const sight = sightOf({ policies: [runaway] });
    listedUntil(sight, 15_000);
    sight.heard({ ...heardAt(at(20_000), []), answer: err(failure('timeout', 'no answer')) });
    expect([voidsOf(sight), sight.opinions(at(20_000)).size]).toEqual([[], 1]);
  });

  it('is about everything when our own clock was set, and passes with the next list', () => {
    const sight = sightOf({ policies: [runaway] });
    listedUntil(sight, 15_000);
    sight.beat(hourLater(16_000));
    expect([voidsOf(sight), sight.opinions(hourLater(16_000)).size]).toEqual([['everything clock_step 1'], 0]);
    sight.heard(heardAt(hourLater(20_000), [entryAt(20_000, 0)]));
    expect(sight.opinions(hourLater(20_000)).get(opinionKey('m1', idAt(0)))?.isMatched).toBe(true);
  });

  it('is about a list that was under way while the clock was set', () => {
    const sight = sightOf({ policies: [runaway] });
    const set = { mono: at(20_000).mono, wall: epoch - 60_000 };
    sight.heard({ ...heardAt(set, [entryAt(20_000, 0)]), started: at(19_900) });
    expect([voidsOf(sight), sight.opinions(set).size]).toEqual([['everything clock_step 1'], 0]);
  });
});

describe('a node', () => {
  it('is covered by the instance that its lists have had ten times', () => {
    const sight = sightOf({ policies: [runaway] });
    for (let now = 5000; now < 50_000; now += 5000) sight.heard(listOfSecond(now));
    expect(sight.isCovered('m2', at(49_000))).toBe(false);
    sight.heard(listOfSecond(50_000));
    expect([sight.isCovered('m2', at(50_000)), sight.isCovered('m3', at(50_000))]).toEqual([true, false]);
  });

  it('is forgotten when it is gone', () => {
    const sight = sightOf({ policies: [runaway] });
    listedUntil(sight, 15_000);
    sight.keep(['m2']);
    expect([sight.opinions(at(15_000)).size, sight.counts('m1').matches('runaway')]).toEqual([0, 0]);
  });
});

describe('other settings', () => {
  it('ask for new confirmations, and keep what is known of clocks and counted', () => {
    const sight = sightOf({ policies: [runaway] });
    listedUntil(sight, 15_000);
    const guard = guardOf({ policies: [{ ...runaway, name: 'other', confirm: { sightings: 3, apart: '5s' } }] });
    sight.become({ cluster: 'prod', guard, instances: { m1: 'RESTPP_1_1' }, staleAfter: 15_000 });
    expect(sight.opinions(at(15_000)).size).toBe(0);
    listedUntil(sight, 25_000, 20_000);
    expect(opinionOf(sight, 25_000)).toEqual(['other', 29_000, false]);
    listedUntil(sight, 30_000, 30_000);
    expect(opinionOf(sight, 30_000)).toEqual(['other', 30_000, true]);
    expect(['runaway', 'other'].map((name) => sight.counts('m1').matches(name))).toEqual([1, 1]);
  });
});
