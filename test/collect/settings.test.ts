import { describe, expect, it } from 'vitest';
import { type Collector, collector } from '../../src/collect/collector.ts';
import { collectorsSection } from '../../src/collect/settings.ts';
import { ok } from '../../src/kernel/result.ts';

function named(name: string, more: Partial<Collector> = {}): Collector {
  return collector({
    name,
    about: `Reads ${name}.`,
    scope: 'node',
    metrics: [],
    defaults: { enabled: true, interval: 10_000, timeout: 4_000 },
    calls: [],
    privilege: '',
    poll: async () => ok(undefined),
    samples: () => [],
    ...more,
  });
}

const section = collectorsSection([
  named('plain'),
  named('handing_on', { passthrough: () => [] }),
  named('listing', { withOverdueAfter: () => named('listing') }),
  named('of_people', { inventory: { objects: ['user'], namesPeople: true, changes: () => [] } }),
  named('by_calendar', { defaults: { enabled: false, interval: 1, timeout: 60_000, schedule: '0 3 * * *' } }),
]);

function complaints(given: unknown): readonly (readonly [string, string])[] {
  const parsed = section.safeParse(given);
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => [path.join('.'), message]);
}

describe('the collectors section', () => {
  it('has every collector if the section is absent', () => {
    const day = 86_400_000;
    expect(section.parse({})).toEqual({
      plain: { enabled: true, interval: 10_000, timeout: 4_000, staleAfter: 30_000, passthrough: true },
      handing_on: { enabled: true, interval: 10_000, timeout: 4_000, staleAfter: 30_000, passthrough: true },
      listing: { enabled: true, interval: 10_000, timeout: 4_000, staleAfter: 30_000, passthrough: true },
      of_people: { enabled: true, interval: 10_000, timeout: 4_000, staleAfter: 30_000, passthrough: true },
      by_calendar: {
        enabled: false,
        interval: day,
        schedule: '0 3 * * *',
        timeout: 60_000,
        staleAfter: 3 * day,
        passthrough: true,
      },
    });
  });

  it('keeps the others at their defaults when one is changed', () => {
    const { plain, handing_on: handingOn } = section.parse({ plain: { interval: '1m', timeout: '30s' } });
    expect(plain).toEqual({ enabled: true, interval: 60_000, timeout: 30_000, staleAfter: 180_000, passthrough: true });
    expect(handingOn?.interval).toBe(10_000);
  });

  it('accepts a cron schedule in place of an interval', () => {
    const parsed = section.parse({ plain: { schedule: '*/5 * * * *' } });
    expect(parsed.plain).toMatchObject({ schedule: '*/5 * * * *', interval: 3_600_000, staleAfter: 10_800_000 });
  });

  it('has passthrough for collectors with native metrics', () => {
    expect(section.parse({ handing_on: { passthrough: false } }).handing_on?.passthrough).toBe(false);
    expect(complaints({ plain: { passthrough: false } })).toEqual([['plain', 'Unrecognized key: "passthrough"']]);
  });

  it('has a limit on the age for collectors that list queries', () => {
    expect(section.parse({ listing: { overdue_after: '10m' } }).listing?.overdueAfter).toBe(600_000);
    expect(complaints({ plain: { overdue_after: '10m' } })).toEqual([['plain', 'Unrecognized key: "overdue_after"']]);
  });

  it('has names for collectors that list users', () => {
    expect(section.parse({ of_people: { names: true } }).of_people?.names).toBe(true);
    expect(section.parse({ of_people: { names: false } }).of_people).not.toHaveProperty('names');
    expect(complaints({ plain: { names: true } })).toEqual([['plain', 'Unrecognized key: "names"']]);
  });

  it.each([
    [{ plain: { timeout: '11s' } }, 'plain.timeout', 'must not be longer than the interval'],
    [{ plain: { interval: '3s' } }, 'plain.timeout', 'must not be longer than the interval'],
    [{ plain: { stale_after: '9s' } }, 'plain.stale_after', 'must not be shorter than the interval'],
    [
      { plain: { interval: '1m', schedule: '* * * * *' } },
      'plain.schedule',
      'cannot be combined with interval; remove one of them',
    ],
    [{ plain: { interval: '0s' } }, 'plain.interval', 'must be longer than 0s'],
    [{ plain: { interval: '5ms', timeout: '5ms' } }, 'plain.interval', 'must be 100ms or longer'],
    [{ by_calendar: { interval: '2m' } }, 'by_calendar.interval', expect.stringContaining('set schedule instead')],
    [
      { by_calendar: { schedule: 'weekly' } },
      'by_calendar.schedule',
      expect.stringContaining('is not a cron expression'),
    ],
  ])('refuses %j', (given, path, message) => {
    expect(complaints(given)).toEqual([[path, message]]);
  });

  it('reports several errors at once', () => {
    expect(
      complaints({ plain: { timeout: '2m', stale_after: '1s', interval: '5s', schedule: '* * * * *' } }),
    ).toHaveLength(3);
  });

  it('accepts a timeout as long as the interval', () => {
    expect(complaints({ plain: { interval: '4s', timeout: '4s', stale_after: '4s' } })).toEqual([]);
  });

  it('does not start with a default that is no cron expression', () => {
    const broken = collectorsSection([
      named('broken', { defaults: { enabled: true, interval: 1, timeout: 1, schedule: 'no' } }),
    ]);
    expect(() => broken.parse({})).toThrow('is not a cron expression');
  });
});

describe('the schedule of a collector that changes the server', () => {
  const both = collectorsSection([
    named('changing', {
      defaults: { enabled: false, interval: 1, timeout: 1000, schedule: '0 4 * * *' },
      taskRuns: () => [],
    }),
    named('watching', { defaults: { enabled: false, interval: 1, timeout: 1000, schedule: '0 3 * * *' } }),
  ]);
  const wrong = (given: object) => both.safeParse(given).error?.issues.map(({ message }) => message) ?? [];

  it.each(['* * * * * *', '*/10 * * * * *', '0,30 * * * * *'])(
    'may not be more often than once a minute: %s',
    (schedule) => {
      expect(wrong({ changing: { schedule } })).toEqual([expect.stringContaining('once a minute')]);
      expect(wrong({ watching: { schedule } })).toEqual([]);
    },
  );

  it.each(['* * * * *', '30 * * * * *', '0 4 * * SUN'])('may be %s', (schedule) => {
    expect(wrong({ changing: { schedule } })).toEqual([]);
  });
});
