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
    defaults: { enabled: true, every: 10_000, timeout: 4_000 },
    calls: [],
    privilege: '',
    read: async () => ok(undefined),
    samples: () => [],
    ...more,
  });
}

const section = collectorsSection([
  named('plain'),
  named('handing_on', { passthrough: () => [] }),
  named('by_calendar', { defaults: { enabled: false, every: 1, timeout: 60_000, cron: '0 3 * * *' } }),
]);

function complaints(given: unknown): readonly (readonly [string, string])[] {
  const parsed = section.safeParse(given);
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => [path.join('.'), message]);
}

describe('the collectors section', () => {
  it('has every collector, also where nothing is written', () => {
    const day = 86_400_000;
    expect(section.parse({})).toEqual({
      plain: { enabled: true, every: 10_000, timeout: 4_000, staleAfter: 30_000, passthrough: true },
      handing_on: { enabled: true, every: 10_000, timeout: 4_000, staleAfter: 30_000, passthrough: true },
      by_calendar: {
        enabled: false,
        every: day,
        cron: '0 3 * * *',
        timeout: 60_000,
        staleAfter: 3 * day,
        passthrough: true,
      },
    });
  });

  it('keeps the others at their defaults when one is changed', () => {
    const { plain, handing_on: handingOn } = section.parse({ plain: { every: '1m', timeout: '30s' } });
    expect(plain).toEqual({ enabled: true, every: 60_000, timeout: 30_000, staleAfter: 180_000, passthrough: true });
    expect(handingOn?.every).toBe(10_000);
  });

  it('takes a calendar in place of an interval', () => {
    const parsed = section.parse({ plain: { cron: '*/5 * * * *' } });
    expect(parsed.plain).toMatchObject({ cron: '*/5 * * * *', every: 3_600_000, staleAfter: 10_800_000 });
  });

  it('knows passthrough where there is something to hand on', () => {
    expect(section.parse({ handing_on: { passthrough: false } }).handing_on?.passthrough).toBe(false);
    expect(complaints({ plain: { passthrough: false } })).toEqual([['plain', 'Unrecognized key: "passthrough"']]);
  });

  it.each([
    [{ plain: { timeout: '11s' } }, 'plain.timeout', 'is longer than the interval'],
    [{ plain: { every: '3s' } }, 'plain.timeout', 'is longer than the interval'],
    [{ plain: { stale_after: '9s' } }, 'plain.stale_after', 'is shorter than the interval'],
    [{ plain: { every: '1m', cron: '* * * * *' } }, 'plain.cron', 'cannot stand beside every'],
    [{ plain: { every: '0s' } }, 'plain.every', 'must be longer than 0s'],
    [{ by_calendar: { every: '2m' } }, 'by_calendar.every', expect.stringContaining('give it a calendar')],
    [{ by_calendar: { cron: 'weekly' } }, 'by_calendar.cron', expect.stringContaining('is not a cron expression')],
  ])('refuses %j', (given, path, message) => {
    expect(complaints(given)).toEqual([[path, message]]);
  });

  it('tells several at once', () => {
    expect(complaints({ plain: { timeout: '2m', stale_after: '1s', every: '5s', cron: '* * * * *' } })).toHaveLength(3);
  });

  it('takes as long as the interval for a time-out', () => {
    expect(complaints({ plain: { every: '4s', timeout: '4s', stale_after: '4s' } })).toEqual([]);
  });

  it('does not start with a default that is no cron expression', () => {
    const broken = collectorsSection([
      named('broken', { defaults: { enabled: true, every: 1, timeout: 1, cron: 'no' } }),
    ]);
    expect(() => broken.parse({})).toThrow('is not a cron expression');
  });
});
