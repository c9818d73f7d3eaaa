import { describe, expect, it } from 'vitest';
import type { GuardSettings } from '../../../src/guard/policy.ts';
import type { TapeEvent, TapeHeader } from '../../../src/guard/tape/format.ts';
import { ReplayedGuard } from '../../../src/guard/tape/replayed-guard.ts';
import type { Instant } from '../../../src/kernel/time.ts';
import { settingsOf } from '../decision/world.ts';
import { at, epoch } from '../listed.ts';
import { policyOf } from '../policy-of.ts';
import { headerOf, listedAt, listsUntil, type TapedQuery } from './tapes.ts';

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
  events: readonly TapeEvent[],
  changes: Partial<GuardSettings> = {},
  header: Partial<TapeHeader> = {},
): ReplayedGuard {
  const guard = new ReplayedGuard({ ...settings, ...changes }, headerOf(header));
  for (const event of events) guard.take(event);
  guard.finish();
  return guard;
}

/** Of each decision: verdict, reason, and seconds after the epoch. */
function verdicts({ tally }: ReplayedGuard) {
  return tally.rows.map(({ id, verdict, reason, at: when }) => [
    Number(id.split('.')[0]),
    verdict,
    reason,
    (when - epoch) / 1000,
  ]);
}

function pressedAt(when: Instant): TapeEvent {
  return { event: 'pressed', node: 'n1', at: when, source: 'queue_depth', value: 30, interval: 5000 };
}

/** By the wall clock alone. */
function hourLater(event: TapeEvent): TapeEvent {
  const later = (when: Instant): Instant => ({ ...when, wall: when.wall + hour });
  return event.event === 'listed' ? { ...event, started: later(event.started), at: later(event.at) } : event;
}

const hour = 3_600_000;
const one: TapedQuery = { serial: 1 };

describe('a replayed guard', () => {
  it('aborts with the next list after E, and tells how long the query ran on', () => {
    const guard = replayed(listsUntil(180_000, [{ ...one, until: 122_000 }]));
    expect(guard.tally.rows).toEqual([
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
        verdict: 'aborted',
        at: epoch + 70_000,
        ranOn: 50_000,
      },
    ]);
  });

  it('only would, where the policy observes', () => {
    const guard = replayed(listsUntil(120_000, [one]), { policies: [policyOf({ ...given, mode: 'observe' })] });
    expect(verdicts(guard)).toEqual([[1, 'would_abort', undefined, 70]]);
  });

  it('aborts each query once, however long the recording lists it', () => {
    expect(verdicts(replayed(listsUntil(900_000, [one])))).toHaveLength(1);
  });

  it('lets go what is over before E, or matches no more', () => {
    expect(verdicts(replayed(listsUntil(120_000, [{ ...one, until: 66_000 }])))).toEqual([
      [1, 'over', 'not_listed', 70],
    ]);
    const policies = [policyOf({ ...given, when: { age: '> 1m', remaining: '> 58m55s' } })];
    expect(verdicts(replayed(listsUntil(120_000, [one]), { policies }))).toEqual([[1, 'over', 'not_matched', 64.98]]);
  });

  it('knows what was still to come when the recording ended', () => {
    expect(replayed(listsUntil(65_000, [one])).tally.rows).toMatchObject([
      { verdict: 'open', matchedAt: epoch + 60_000, due: epoch + 70_000 },
    ]);
  });

  it('tells what holds a decision to the end, or for a while', () => {
    const two = [one, { serial: 2, from: 5000 }];
    expect(verdicts(replayed(listsUntil(100_000, two)))).toEqual([
      [1, 'aborted', undefined, 70],
      [2, 'held', 'cooldown', 100],
    ]);
    expect(verdicts(replayed(listsUntil(150_000, two)))).toEqual([
      [1, 'aborted', undefined, 70],
      [2, 'aborted', 'cooldown', 130.5],
    ]);
    expect(verdicts(replayed(listsUntil(150_000, [one, { serial: 2, from: 5000, until: 92_000 }])))).toEqual([
      [1, 'aborted', undefined, 70],
      [2, 'held', 'cooldown', 95],
    ]);
  });

  it('tells of budgets that were spent', () => {
    const quick = [policyOf({ ...given, cooldown: '1s' })];
    const budgets = { ...settings.budgets, perNode: { max: 1, within: 600_000 } };
    const guard = replayed(listsUntil(200_000, [one, { serial: 2, from: 20_000 }]), { policies: quick, budgets });
    expect(verdicts(guard)[1]).toEqual([2, 'held', 'node_budget', 200]);
  });

  it('opens breakers, and tells whom they hold', () => {
    const policies = [policyOf({ ...given, cooldown: '1s' })];
    const breakers = { ...settings.breakers, sameQuery: { aborts: 1, within: 900_000 } };
    const guard = replayed(listsUntil(200_000, [one, { serial: 2, from: 60_000 }]), { policies, breakers });
    expect(guard.breakers).toEqual([{ breaker: 'same_query fraud ring_scan', at: epoch + 70_000 }]);
    expect(verdicts(guard)[1]?.slice(0, 3)).toEqual([2, 'held', 'breaker']);
    const observed = policies.map((policy) => ({ ...policy, mode: 'observe' }) as const);
    const looking = replayed(listsUntil(200_000, [one, { serial: 2, from: 60_000 }]), { policies: observed, breakers });
    expect(looking.breakers).toEqual([]);
    expect(verdicts(looking)).toEqual([
      [1, 'would_abort', undefined, 70],
      [2, 'held', 'breaker', 200],
    ]);
  });

  it('ends what has begun when a breaker opens, and leaves other queries alone', () => {
    const policies = [policyOf({ ...given, cooldown: '0s' })];
    const breakers = { ...settings.breakers, sameQuery: { aborts: 1, within: 900_000 } };
    const others = [
      { serial: 2, from: 5000 },
      { serial: 3, from: 20_000, query: '/query/fraud/pagerank' },
    ];
    const guard = replayed(listsUntil(200_000, [one, ...others]), { policies, breakers });
    expect(verdicts(guard)).toEqual([
      [1, 'aborted', undefined, 70],
      [2, 'held', 'breaker', 70],
      [3, 'aborted', undefined, 90],
    ]);
  });

  it('follows up by good lists alone, and passes over what tells of no node that it knows', () => {
    const lists = listsUntil(100_000, [one]);
    const silence: TapeEvent = { event: 'unlisted', node: 'n1', at: at(75_000), reason: 'timeout' };
    const odd = [75_000, 80_000, 85_000].map((time) => ({ ...listedAt(time), list: { void: 'malformed' } }) as const);
    const until = (time: number) => lists.filter((list) => list.at.mono <= at(time).mono);
    const guard = replayed([...until(70_000), silence, ...odd, listedAt(85_000, [], 'n9')]);
    expect(guard.tally.rows).toMatchObject([{ verdict: 'aborted', ranOn: 0 }]);
    expect(guard.nodes.all).toMatchObject([{ node: 'n1', lists: 18, failed: 1, voids: { malformed: 3 } }]);
  });

  it('waits for the next list, however long that takes', () => {
    const guard = replayed([...listsUntil(65_000, [one]), listedAt(700_000, [])]);
    expect(verdicts(guard)).toEqual([[1, 'over', 'not_listed', 700]]);
  });

  it('goes by the pace of the recording, not by that of its own wishes', () => {
    const n2 = { ...one, node: 'n2' };
    const lists = listsUntil(200_000, []).flatMap(({ at: when }) => {
      const time = when.mono - at(0).mono;
      // From 50 s on nothing is heard of n2: by 65 s its queries are no ground for anything.
      return [listedAt(time, [one]), ...(time > 50_000 ? [] : [listedAt(time, [n2], 'n2')])];
    });
    const instances = { n1: 'RESTPP_1_1', n2: 'RESTPP_1_2' };
    const guard = replayed(
      lists,
      { policies: [policyOf({ ...given, when: { age: '> 55s' } })] },
      { nodes: ['n1', 'n2'], instances },
    );
    expect(
      guard.tally.rows.map(({ node, verdict, reason, at: when }) => [node, verdict, reason, when - epoch]),
    ).toEqual([
      ['n1', 'aborted', undefined, 65_000],
      ['n2', 'over', 'not_matched', 66_000],
    ]);
  });

  it('hears of failed lists, pressures and graphs', () => {
    const gate = { any: [{ queue_depth: '> 20', for: '10s' }] };
    const policies = [policyOf({ ...given, gate })];
    const lists = listsUntil(120_000, [one]);
    const pressed = lists.flatMap((list) => [list, pressedAt(list.at)]);
    expect(verdicts(replayed(lists, { policies }))).toEqual([]);
    expect(verdicts(replayed(pressed, { policies }))).toEqual([[1, 'aborted', undefined, 70]]);
    expect(verdicts(replayed(lists, {}, { graphs: [] }))).toEqual([]);
    const graphs: TapeEvent = { event: 'graphs', at: at(0), names: ['fraud'] };
    expect(verdicts(replayed([graphs, ...lists], {}, { graphs: [] }))).toHaveLength(1);
    const failures = lists.map(
      ({ at: when }): TapeEvent => ({ event: 'unlisted', node: 'n1', at: when, reason: 'body', doubt: 'error' }),
    );
    expect(replayed(failures).nodes.all).toMatchObject([{ lists: 0, failed: 25, voids: { error: 25 } }]);
  });

  it('sees everything anew where the clock was set', () => {
    const lists = listsUntil(120_000, [one]);
    const guard = replayed([...lists.slice(0, 13), ...lists.slice(13).map(hourLater)]);
    // Confirmed again by 70 s, 10 s of grace from there on.
    expect(verdicts(guard).at(-1)).toEqual([1, 'aborted', undefined, 3_600 + 80]);
  });

  it('does nothing without a line', () => {
    expect(replayed([]).tally.rows).toEqual([]);
  });
});
