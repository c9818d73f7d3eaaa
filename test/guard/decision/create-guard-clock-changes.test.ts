import { describe, expect, it } from 'vitest';
import { createRecorder } from '../../../src/guard/recording/recorder.ts';
import { ReplayedGuard } from '../../../src/guard/recording/replayed-guard.ts';
import { ok } from '../../../src/kernel/result.ts';
import { bound, policyOf } from '../match-inputs.ts';
import { at, entryOf, epoch } from '../observations.ts';
import { GuardSimulation, type Running, settingsOf } from './guard-simulation.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A night in Berlin: queries begin at `start` UTC, which is `startTime` there. */
interface Night {
  readonly start: string;
  readonly startTime: string;
}

const spring: Night = { start: '2026-03-29T00:30Z', startTime: '2026-03-29 01:30:00.000' };
const autumn: Night = { start: '2026-10-25T00:30Z', startTime: '2026-10-25 02:30:00.000' };
const ordinary: Night = { start: '2026-03-26T00:30Z', startTime: '2026-03-26 01:30:00.000' };

const longTimeout = policyOf(
  { grantedTimeout: bound('> 3600000'), age: bound('> 60000') },
  { name: 'long', victims: { pick: 'oldest', max: 9 } },
);
const shortTimeout = policyOf(
  { grantedTimeout: bound('< 3600000'), age: bound('> 60000') },
  { name: 'short', victims: { pick: 'oldest', max: 9 } },
);

/** Returns the names of the queries that the guard aborts within five minutes, and the reasons of skipped entries. */
function simulate({ start, startTime }: Night, expirations: Readonly<Record<string, string>>, policy = longTimeout) {
  const body = (entries: readonly unknown[]) => ({ results: entries.map((entry) => withTimes(entry)) });
  const withTimes = (entry: unknown) => {
    const name = Object.keys(expirations).find((one) => JSON.stringify(entry).includes(`/query/fraud/${one}"`)) ?? '';
    return { ...(typeof entry === 'object' && entry), startTime, expirationTime: expirations[name] };
  };
  const simulation = new GuardSimulation(settingsOf([policy]), { body });
  simulation.stepClock(Date.parse(start) - epoch);
  simulation.begin();
  for (const [index, name] of Object.keys(expirations).entries()) simulation.queries.push(running(name, index, start));
  simulation.run(5 * minute);
  return {
    aborted: simulation.aborts.map(({ hit }) => hit?.url.split('/')[3]),
    skipped: simulation.of('skipped').map(({ reason }) => reason),
  };
}

function running(name: string, index: number, start: string): Running {
  const id = `${index + 1}.RESTPP_1_1.${Date.parse(start)}.N`;
  return { node: 'n1', id, url: `/query/fraud/${name}`, from: 0, until: hour };
}

describe('guard while clocks change', () => {
  it('does not abort a query whose timeout appears to be an hour longer', () => {
    // 30 min and 3 h: clocks show 03:00 after 02:00.
    const expirations = { half: '2026-03-29 03:00:00.000', three: '2026-03-29 05:30:00.000' };
    expect(simulate(spring, expirations)).toEqual({ aborted: ['three'], skipped: [] });
  });

  it('does not abort a query whose timeout appears to be an hour shorter, or negative', () => {
    // 90 min, 50 min and 30 min: clocks show 02:00 after 03:00.
    const expirations = {
      ninety: '2026-10-25 03:00:00.000',
      fifty: '2026-10-25 02:20:00.000',
      half: '2026-10-25 02:00:00.000',
    };
    expect(simulate(autumn, expirations, shortTimeout)).toEqual({ aborted: ['fifty', 'half'], skipped: [] });
  });

  it('does not abort a query that may be excepted', () => {
    const policy = policyOf({ age: bound('> 60000') }, { unless: { grantedTimeout: bound('< 3600000') } });
    const expirations = { half: '2026-03-29 03:00:00.000' };
    expect(simulate(spring, expirations, policy).aborted).toEqual([]);
    expect(simulate(spring, { three: '2026-03-29 05:30:00.000' }, policy).aborted).toEqual(['three']);
  });

  it('aborts by the listed times on other days, and skips an entry with a negative timeout', () => {
    const expirations = { half: '2026-03-26 02:00:00.000', ninety: '2026-03-26 03:00:00.000' };
    expect(simulate(ordinary, expirations)).toEqual({ aborted: ['ninety'], skipped: [] });
    const { aborted, skipped } = simulate(ordinary, { negative: '2026-03-26 01:29:00.000' }, shortTimeout);
    expect({ aborted, skipped: new Set(skipped) }).toEqual({ aborted: [], skipped: new Set(['ages']) });
  });

  it('decides the same in a replay', () => {
    const settings = settingsOf([longTimeout]);
    const about = {
      cluster: 'prod',
      nodes: ['n1'],
      instances: { n1: 'RESTPP_1_1' },
      interval: 5000,
      graphs: ['fraud'],
    };
    const recorder = createRecorder({ settings, gates: [], ...about });
    const guard = new ReplayedGuard(settings, recorder.header);
    const shift = Date.parse(spring.start) - epoch;
    const shifted = (after: number) => ({ wall: at(after).wall + shift, mono: at(after).mono });
    for (let after = 0; after <= 5 * minute; after += 5000) {
      const results = Object.entries({ half: '2026-03-29 03:00:00.000', three: '2026-03-29 05:30:00.000' }).map(
        ([name, expirationTime], index) => {
          const { id: requestid, url } = running(name, index, spring.start);
          return entryOf({ requestid, url, startTime: spring.startTime, expirationTime, elapsedTime: after });
        },
      );
      const times = { started: shifted(after), received: shifted(after) };
      guard.feed(recorder.listed({ node: 'n1', ...times, answer: ok({ results }) }));
    }
    guard.finish();
    expect(guard.results.rows.map(({ query, result }) => [query, result])).toEqual([['three', 'aborted']]);
  });
});
