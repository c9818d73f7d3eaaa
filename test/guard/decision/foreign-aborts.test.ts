import { describe, expect, it } from 'vitest';
import type { Outcome, SkipReason } from '../../../src/guard/decision/decision.ts';
import { recordDecisionEnd } from '../../../src/guard/decision/foreign-aborts.ts';
import { initialState } from '../../../src/guard/decision/state.ts';
import { bound, policyOf } from '../match-inputs.ts';
import { decisionOf } from './decisions.ts';
import { GuardSimulation, settingsOf } from './guard-simulation.ts';

type End = Outcome | SkipReason;
const withoutIntent: readonly End[] = ['not_listed', 'not_matched'];

function repeat(end: End, count: number): readonly End[] {
  return Array.from({ length: count }, () => end);
}

/** Whether the guard pauses itself after these ends. */
function pausesAfter(ends: readonly End[], changes: Parameters<typeof decisionOf>[0] = {}): boolean {
  let state = initialState();
  let hasPaused = false;
  for (const end of ends) {
    const isOutcome = !withoutIntent.includes(end);
    const step = recordDecisionEnd(state, decisionOf({ mode: 'enforce', ...changes }), {
      end: isOutcome ? { outcome: end as Outcome } : { skipReason: end as SkipReason },
      now: { wall: 0, mono: 90_000 },
    });
    state = step.state;
    hasPaused ||= step.outputs.some((one) => one.kind === 'pause' && one.reason === 'other_guard');
  }
  return hasPaused;
}

describe('ends of decisions', () => {
  it.each<[string, boolean, readonly End[]]>([
    ['8 of finished_first', true, repeat('finished_first', 8)],
    [
      '8 of finished_first among 16',
      true,
      [...repeat('finished_first', 7), ...repeat('confirmed', 8), 'finished_first'],
    ],
    [
      'two groups of 7 of finished_first',
      false,
      [...repeat('finished_first', 7), ...repeat('confirmed', 9), ...repeat('finished_first', 7)],
    ],
    ['8 of not_listed', true, repeat('not_listed', 8)],
    ['8 of both', true, [...repeat('finished_first', 4), ...repeat('not_listed', 4)]],
    ['7 of both', false, [...repeat('finished_first', 4), ...repeat('not_listed', 3)]],
    [
      '7 of not_listed before and after confirmed',
      false,
      [...repeat('not_listed', 7), 'confirmed', ...repeat('not_listed', 7)],
    ],
    ['9 of not_matched', false, repeat('not_matched', 9)],
    ['other outcomes', false, ['still_running', 'not_sent', 'withdrawn', 'vanished']],
  ])('after %s: the guard pauses: %s', (_, isPaused, ends) => {
    expect(pausesAfter(ends)).toBe(isPaused);
  });

  it.each([
    [false, 95_000],
    [true, 95_001],
  ])('pause the guard (%s) unless the server itself ended the query at its timeout: %d', (isPaused, endsAt) => {
    expect(pausesAfter(repeat('not_listed', 8), { endsAt })).toBe(isPaused);
    expect(pausesAfter(repeat('finished_first', 8), { sentAt: 90_000, endsAt })).toBe(isPaused);
  });

  it('of policies in observe mode, and of manual aborts, do not pause the guard', () => {
    const ends = repeat('finished_first', 9);
    expect(pausesAfter(ends, { mode: 'observe' })).toBe(false);
    expect(pausesAfter(ends, { manual: { by: 'alice', reason: 'stuck', whilePaused: false } })).toBe(false);
  });
});

describe('a second guard', () => {
  it('pauses if the first one aborts the same queries at the same time', () => {
    const quick = policyOf(undefined, { cooldown: 0, victims: { pick: 'oldest', max: 9 } });
    const budgets = { perNode: { max: 9, within: 1000 }, perCluster: { max: 9, within: 1000 } };
    const simulation = new GuardSimulation(settingsOf([quick], { budgets }), {
      // The other guard was faster: the server has nothing to abort.
      abort: () => ({ answer: { kind: 'accepted', aborted: [] }, ends: true }),
    }).begin();
    for (const name of 'abcdefghi') {
      simulation.start({ url: `/query/fraud/scan_${name}` });
      simulation.run(200_000);
    }
    expect(simulation.of('pause')).toMatchObject([{ reason: 'other_guard' }]);
    expect(simulation.aborts).toHaveLength(8);
  });

  it.each<[string, (simulation: GuardSimulation) => void, string]>([
    ['the local clock is set', (simulation) => simulation.stepClock(2000), 'too_old'],
    ['their entries are malformed', () => undefined, 'malformed_entry'],
  ])('is not assumed if %s while nine queries wait for a fresh list', (_, fail, skipReason) => {
    const many = policyOf({ age: bound('> 10000') }, { grace: 7000, victims: { pick: 'oldest', max: 9 } });
    let isMalformed = false;
    const simulation = new GuardSimulation(settingsOf([many]), {
      latency: () => 800,
      body: (results) => ({ results: isMalformed ? results.map((one) => ({ ...Object(one), url: 7 })) : results }),
    }).begin();
    for (let count = 0; count < 9; count += 1) simulation.start();
    const areWaiting = () => [...simulation.state.decisions.values()].some(({ phase }) => phase === 'fresh');
    while (!areWaiting()) simulation.run(10);
    isMalformed = skipReason === 'malformed_entry';
    fail(simulation);
    simulation.run(1000);
    expect(simulation.of('cancelled')).toMatchObject(Array.from({ length: 9 }, () => ({ skipReason })));
    expect(simulation.of('pause')).toEqual([]);
  });
});
