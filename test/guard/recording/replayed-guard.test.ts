import { describe, expect, it } from 'vitest';
import type { GuardSettings } from '../../../src/guard/policy.ts';
import type { RecordingEvent, RecordingHeader } from '../../../src/guard/recording/format.ts';
import { ReplayedGuard } from '../../../src/guard/recording/replayed-guard.ts';
import type { Instant } from '../../../src/kernel/time.ts';
import { settingsOf } from '../decision/guard-simulation.ts';
import { at, epoch } from '../observations.ts';
import { policyOf } from '../parsed-policy.ts';
import { headerOf, listedAt, listsUntil, type RecordedQuery } from './recordings.ts';

const given = {
  name: 'old',
  mode: 'enforce',
  when: { age: '> 1m' },
  grace: '10s',
  cooldown: '1m',
  victims: { max: 5 },
};
const settings = settingsOf([policyOf(given)]);

function replayed(
  events: readonly RecordingEvent[],
  changes: Partial<GuardSettings> = {},
  header: Partial<RecordingHeader> = {},
): ReplayedGuard {
  const guard = new ReplayedGuard({ ...settings, ...changes }, headerOf(header));
  for (const event of events) guard.feed(event);
  guard.finish();
  return guard;
}

/** Of each decision: result, reason, and seconds after the epoch. */
function resultsOf(guard: ReplayedGuard) {
  return guard.results.rows.map(({ id, result, reason, at: when }) => [
    Number(id.split('.')[0]),
    result,
    reason,
    (when - epoch) / 1000,
  ]);
}

function pressedAt(when: Instant): RecordingEvent {
  return { event: 'gate_value', node: 'n1', at: when, source: 'queue_depth', value: 30, interval: 5000 };
}

function shifted({ wall, mono }: Instant, by: number): Instant {
  return { wall: wall + by, mono: mono + by };
}

/** By the wall clock alone. */
function hourLater(event: RecordingEvent): RecordingEvent {
  const later = (when: Instant): Instant => ({ ...when, wall: when.wall + hour });
  return event.event === 'listed' ? { ...event, started: later(event.started), at: later(event.at) } : event;
}

const hour = 3_600_000;
const one: RecordedQuery = { serial: 1 };

describe('replayed guard', () => {
  it('aborts with the first list after the earliest abort time, and reports how long the query still ran', () => {
    const guard = replayed(listsUntil(180_000, [{ ...one, until: 122_000 }]));
    expect(guard.results.rows).toEqual([
      {
        policy: 'old',
        mode: 'enforce',
        node: 'n1',
        graph: 'fraud',
        query: 'ring_scan',
        id: expect.stringMatching(/^1\.RESTPP_1_1\./),
        matchedAt: epoch + 60_000,
        due: epoch + 70_000,
        age: 70_000,
        grantedTimeout: 3_600_000,
        result: 'aborted',
        at: epoch + 70_000,
        ranOn: 50_000,
      },
    ]);
  });

  it('does not abort if the policy observes', () => {
    const guard = replayed(listsUntil(120_000, [one]), { policies: [policyOf({ ...given, mode: 'observe' })] });
    expect(resultsOf(guard)).toEqual([[1, 'would_abort', undefined, 70]]);
  });

  it('aborts a query once, for any time in the recording', () => {
    expect(resultsOf(replayed(listsUntil(900_000, [one])))).toHaveLength(1);
  });

  it('cancels the decision if the query ends, or matches no more, before the earliest abort time', () => {
    expect(resultsOf(replayed(listsUntil(120_000, [{ ...one, until: 66_000 }])))).toEqual([
      [1, 'over', 'not_listed', 70],
    ]);
    const policies = [policyOf({ ...given, when: { age: '> 1m', remaining: '> 58m55s' } })];
    expect(resultsOf(replayed(listsUntil(120_000, [one]), { policies }))).toEqual([[1, 'over', 'not_matched', 64.98]]);
  });

  it('reports decisions that are pending at the end of the recording', () => {
    expect(replayed(listsUntil(65_000, [one])).results.rows).toMatchObject([
      { result: 'open', matchedAt: epoch + 60_000, due: epoch + 70_000 },
    ]);
  });

  it('reports the reason for a delay, to the end or for a while', () => {
    const two = [one, { serial: 2, from: 5000 }];
    expect(resultsOf(replayed(listsUntil(100_000, two)))).toEqual([
      [1, 'aborted', undefined, 70],
      [2, 'held', 'cooldown', 100],
    ]);
    expect(resultsOf(replayed(listsUntil(150_000, two)))).toEqual([
      [1, 'aborted', undefined, 70],
      [2, 'aborted', 'cooldown', 130],
    ]);
    expect(resultsOf(replayed(listsUntil(150_000, [one, { serial: 2, from: 5000, until: 92_000 }])))).toEqual([
      [1, 'aborted', undefined, 70],
      [2, 'held', 'cooldown', 95],
    ]);
  });

  it('reports spent budgets', () => {
    const quick = [policyOf({ ...given, cooldown: '1s' })];
    const budgets = { ...settings.budgets, perNode: { max: 1, within: 600_000 } };
    const guard = replayed(listsUntil(200_000, [one, { serial: 2, from: 20_000 }]), { policies: quick, budgets });
    expect(resultsOf(guard)[1]).toEqual([2, 'held', 'node_budget', 200]);
  });

  it('opens breakers, and reports the matches that they block', () => {
    const policies = [policyOf({ ...given, cooldown: '1s' })];
    const breakers = { ...settings.breakers, sameQuery: { aborts: 1, within: 900_000 } };
    const guard = replayed(listsUntil(200_000, [one, { serial: 2, from: 60_000 }]), { policies, breakers });
    expect(guard.breakers).toEqual([{ breaker: 'same_query fraud ring_scan', at: epoch + 70_000 }]);
    expect(resultsOf(guard)[1]?.slice(0, 3)).toEqual([2, 'held', 'breaker']);
    const observed = policies.map((policy) => ({ ...policy, mode: 'observe' }) as const);
    const looking = replayed(listsUntil(200_000, [one, { serial: 2, from: 60_000 }]), { policies: observed, breakers });
    expect(looking.breakers).toEqual([]);
    expect(resultsOf(looking)).toEqual([
      [1, 'would_abort', undefined, 70],
      [2, 'held', 'breaker', 200],
    ]);
  });

  it('cancels a pending decision when its breaker opens, and no decision on another query', () => {
    const policies = [policyOf({ ...given, cooldown: '0s' })];
    const breakers = { ...settings.breakers, sameQuery: { aborts: 1, within: 900_000 } };
    const others = [
      { serial: 2, from: 5000 },
      { serial: 3, from: 20_000, query: '/query/fraud/pagerank' },
    ];
    const guard = replayed(listsUntil(200_000, [one, ...others]), { policies, breakers });
    expect(resultsOf(guard)).toEqual([
      [1, 'aborted', undefined, 70],
      [2, 'held', 'breaker', 70],
      [3, 'aborted', undefined, 90],
    ]);
  });

  it('verifies by valid lists only, and ignores events of unknown nodes', () => {
    const lists = listsUntil(100_000, [one]);
    const silence: RecordingEvent = { event: 'unlisted', node: 'n1', at: at(75_000), reason: 'timeout' };
    const odd = [75_000, 80_000, 85_000].map(
      (time) => ({ ...listedAt(time), list: { rejected: 'malformed' } }) as const,
    );
    const until = (time: number) => lists.filter((list) => list.at.mono <= at(time).mono);
    const guard = replayed([...until(70_000), silence, ...odd, listedAt(85_000, [], 'n9')]);
    expect(guard.results.rows).toMatchObject([{ result: 'aborted', ranOn: 0 }]);
    expect(guard.nodes.all).toMatchObject([{ node: 'n1', lists: 18, failed: 1, rejected: { malformed: 3 } }]);
  });

  it('waits for the next list without a limit', () => {
    const guard = replayed([...listsUntil(65_000, [one]), listedAt(700_000, [])]);
    expect(resultsOf(guard)).toEqual([[1, 'over', 'not_listed', 700]]);
  });

  it('uses the list interval of the recording, not its own list requests', () => {
    const n2 = { ...one, node: 'n2' };
    const lists = listsUntil(200_000, []).flatMap(({ at: when }) => {
      const time = when.mono - at(0).mono;
      // n2 has no list after 50 s, so its queries do not count at 65 s.
      return [listedAt(time, [one]), ...(time > 50_000 ? [] : [listedAt(time, [n2], 'n2')])];
    });
    const instances = { n1: 'RESTPP_1_1', n2: 'RESTPP_1_2' };
    const guard = replayed(
      lists,
      { policies: [policyOf({ ...given, when: { age: '> 55s' } })] },
      { nodes: ['n1', 'n2'], instances },
    );
    expect(
      guard.results.rows.map(({ node, result, reason, at: when }) => [node, result, reason, when - epoch]),
    ).toEqual([
      ['n1', 'aborted', undefined, 65_000],
      ['n2', 'over', 'too_old', 66_000],
    ]);
  });

  it('uses the recorded list time, so that a list counts for as long as in the daemon', () => {
    const slow = listsUntil(66_000, [one]).flatMap((list) =>
      list.event === 'listed' ? [{ ...list, started: shifted(list.at, -2900) }] : [],
    );
    const later: readonly RecordingEvent[] = [pressedAt(at(85_000)), ...listsUntil(100_000, []).slice(-1)];
    expect(resultsOf(replayed([...slow, ...later]))).toEqual([[1, 'over', 'not_listed', 100]]);
    const queued = slow.map((list) => ({ ...list, list_time: 10 }));
    expect(resultsOf(replayed([...queued, ...later]))).toEqual([[1, 'over', 'too_old', 85]]);
  });

  it('applies failed lists, pressures and graphs', () => {
    const gate = { any: [{ queue_depth: '> 20', for: '10s' }] };
    const policies = [policyOf({ ...given, gate })];
    const lists = listsUntil(120_000, [one]);
    const pressed = lists.flatMap((list) => [list, pressedAt(list.at)]);
    expect(resultsOf(replayed(lists, { policies }))).toEqual([]);
    expect(resultsOf(replayed(pressed, { policies }))).toEqual([[1, 'aborted', undefined, 70]]);
    expect(resultsOf(replayed(lists, {}, { graphs: [] }))).toEqual([]);
    const graphs: RecordingEvent = { event: 'graphs', at: at(0), names: ['fraud'] };
    expect(resultsOf(replayed([graphs, ...lists], {}, { graphs: [] }))).toHaveLength(1);
    const failures = lists.map(
      ({ at: when }): RecordingEvent => ({
        event: 'unlisted',
        node: 'n1',
        at: when,
        reason: 'body',
        skip_reason: 'error',
      }),
    );
    expect(replayed(failures).nodes.all).toMatchObject([{ lists: 0, failed: 25, rejected: { error: 25 } }]);
  });

  it('confirms all queries again after a clock step', () => {
    const lists = listsUntil(120_000, [one]);
    const guard = replayed([...lists.slice(0, 13), ...lists.slice(13).map(hourLater)]);
    // Confirmed again by 70 s, 10 s of grace from there on.
    expect(resultsOf(guard).at(-1)).toEqual([1, 'aborted', undefined, 3_600 + 80]);
  });

  it('has no results without an event', () => {
    expect(replayed([]).results.rows).toEqual([]);
  });
});
