import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newSilenceId, parseSilence } from '../../src/alert/silence-request.ts';
import { matchersOf } from '../support/matchers-of.ts';

const now = Date.parse('2026-01-31T12:00:00Z');
const hour = 3_600_000;
const good = { matchers: ['cluster_name="prod"'], author: 'alice', reason: 'new disks', duration: '2h' };

function complaint(more: Readonly<Record<string, unknown>>): string {
  const requested = parseSilence({ ...good, ...more }, 'a1', now);
  return requested.ok ? '' : requested.error;
}

describe('a silence', () => {
  it('begins at once and has the requested duration', () => {
    expect(parseSilence(good, 'a1', now)).toEqual({
      ok: true,
      value: {
        id: 'a1',
        matchers: matchersOf('cluster_name="prod"'),
        startsAt: now,
        endsAt: now + 2 * hour,
        author: 'alice',
        reason: 'new disks',
      },
    });
  });

  it.each([
    [{ endsAt: '2026-01-31T13:00:00Z' }, 0, hour],
    [{ endsAt: '2026-01-31T15:00:00+01:00' }, 0, 2 * hour],
    [{ startsAt: '2026-01-31T13:00:00Z', duration: '1h' }, hour, 2 * hour],
    [{ startsAt: '2026-01-31T11:00:00Z', duration: '1h' }, 0, hour],
    [{ startsAt: '2026-01-31T11:00:00Z', endsAt: '2026-01-31T12:00:00.001Z' }, 0, 1],
    [{ duration: '365d' }, 0, 365 * 24 * hour],
  ])('of %j lasts from %i to %i ms', (when, from, to) => {
    const { duration: _, ...rest } = good;
    expect(parseSilence({ ...rest, ...when }, 'a1', now)).toMatchObject({
      value: { startsAt: now + from, endsAt: now + to },
    });
  });

  it('trims its texts', () => {
    expect(parseSilence({ ...good, author: ' alice\n' }, 'a1', now)).toMatchObject({ value: { author: 'alice' } });
  });

  it.each([
    [{ duration: undefined }, 'the end is missing; set duration or endsAt'],
    [{ duration: 60 }, 'duration is not a string'],
    [{ endsAt: '2026-01-31T13:00:00Z' }, 'endsAt and duration are mutually exclusive; set one of them'],
    [{ duration: '0s' }, 'duration must be longer than 0s'],
    [{ duration: 'soon' }, /^duration is not a duration/],
    [{ duration: 7200 }, /^duration /],
    [{ duration: '366d' }, /more than a year/],
    [{ duration: '300d', startsAt: '2026-06-01T00:00:00Z' }, /more than a year/],
    [{ duration: undefined, endsAt: '2026-01-31T12:00:00Z' }, /after now/],
    [{ duration: undefined, endsAt: '2025-01-31T12:00:00Z' }, /after now/],
    [{ duration: undefined, endsAt: '2026-02-01T00:00:00Z', startsAt: '2026-02-02T00:00:00Z' }, /after the start/],
    [{ duration: undefined, endsAt: 'tomorrow' }, 'endsAt is not a timestamp such as 2026-01-31T12:00:00Z'],
    [{ duration: undefined, endsAt: '2026-02-30T00:00:00Z' }, /^endsAt is not a timestamp/],
    [{ duration: undefined, endsAt: 1_800_000_000 }, /^endsAt is not a timestamp/],
    [{ author: undefined }, 'author is missing'],
    [{ author: '  ' }, 'author is missing'],
    [{ author: 7 }, 'author is not a string'],
    [{ author: 'a'.repeat(101) }, 'author is longer than 100 characters'],
    [{ reason: undefined }, 'reason is missing'],
    [{ reason: 'a'.repeat(1001) }, 'reason is longer than 1000 characters'],
    [{ matchers: undefined }, 'matchers is missing'],
    [{ matchers: 'node="m1"' }, 'matchers must be a list of matchers'],
    [{ matchers: { node: 'm1' } }, 'matchers must be a list of matchers'],
    [{ matchers: [] }, 'matchers must require a value of at least one label'],
    [{ matchers: ['team=""'] }, 'matchers must require a value of at least one label'],
    [{ matchers: ['team=~"|graph"'] }, 'matchers must require a value of at least one label'],
    [{ matchers: ['team!="graph"'] }, 'matchers must require a value of at least one label'],
    [{ matchers: [7] }, 'matchers.0 is not a string'],
    [{ matchers: ['node'] }, 'matchers.0 is not a matcher'],
    [{ matchers: ['severity="critcal"'] }, /^matchers\.0 is not a severity/],
    [{ matchers: [`node="${'m'.repeat(257)}"`] }, 'matchers is too large'],
    [{ matchers: Array.from({ length: 21 }, (_, at) => `l${at}=x`) }, 'matchers is too large'],
    [{ match: { node: 'm1' } }, 'only matchers, author, reason, startsAt, endsAt and duration are allowed'],
    [{ until: 'tomorrow' }, 'only matchers, author, reason, startsAt, endsAt and duration are allowed'],
  ])('with $0 is rejected: $1 (case %$)', (more, said) => {
    expect(complaint(more)).toMatch(said);
  });

  it('lists all problems in one error', () => {
    expect(complaint({ author: '', reason: undefined, matchers: [] })).toBe(
      'matchers must require a value of at least one label; author is missing; reason is missing',
    );
  });

  it.each([[undefined], [null], [7], ['text'], [[]]])('is refused for %j', (given) => {
    expect(parseSilence(given, 'a1', now)).toEqual({ ok: false, error: 'the body must be a JSON object' });
  });
});

describe('the id of a silence', () => {
  it('has only unambiguous characters for any random numbers', () => {
    for (const value of [0, 0.5, 0.999_999])
      expect(newSilenceId({ next: () => value })).toMatch(/^[2-9a-hjkmnp-z]{10}$/);
  });

  it('is unique', () => {
    let at = 0;
    const random = { next: () => (at++ * 0.137) % 1 };
    expect(new Set(Array.from({ length: 50 }, () => newSilenceId(random))).size).toBe(50);
  });
});

describe('any request body', () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom('severity=info', 'node=~"m.*"', 'severity', 'node', '__proto__', '1h', '2026-02-01T00:00:00Z'),
  );
  const value = fc.oneof(word, fc.array(word), fc.dictionary(word, fc.oneof(word, fc.array(word))), fc.jsonValue());
  const requested = fc.record(
    { matchers: value, author: value, reason: value, startsAt: value, endsAt: value, duration: value },
    { requiredKeys: [] },
  );

  it('becomes a silence with an end, an author, a reason and matchers, or an error message', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          requested.map((some) => ({ ...good, ...some })),
          requested,
          fc.jsonValue(),
        ),
        (given) => {
          const silence = parseSilence(given, 'a1', now);
          if (!silence.ok) return silence.error !== '';
          const { startsAt, endsAt, author, reason, matchers } = silence.value;
          const isBounded = now <= startsAt && startsAt < endsAt && endsAt <= now + 365 * 24 * hour;
          return isBounded && author !== '' && reason !== '' && matchers.length > 0;
        },
      ),
    );
  });
});
