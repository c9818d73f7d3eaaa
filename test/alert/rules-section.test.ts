import { describe, expect, it } from 'vitest';
import type { Threshold } from '../../src/alert/rule.ts';
import { rules } from '../../src/alert/rules/all.ts';
import { rulesSection } from '../../src/alert/rules-section.ts';
import { ruleOf } from './alerting-testbed.ts';

const thresholds: readonly Threshold[] = [
  { name: 'longest', about: 'A time.', unit: 'seconds', value: 90 },
  { name: 'largest', about: 'A size.', unit: 'bytes', value: 2 * 2 ** 30 },
  { name: 'share', about: 'A share.', unit: 'ratio', value: 0.3 },
  { name: 'most', about: 'A count.', unit: 'count', value: 5 },
];
const rule = ruleOf('quick', { for: 60_000, keepFiringFor: 5000, thresholds });
const section = rulesSection([rule]);

function complaints(given: unknown): readonly string[] {
  const read = section.safeParse({ quick: given });
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('the section of rules', () => {
  it('has the declared defaults of each rule', () => {
    expect(section.parse(undefined)).toEqual({
      quick: {
        enabled: true,
        severity: 'warning',
        for: 60_000,
        keepFiringFor: 5000,
        thresholds: { longest: 90, largest: 2 * 2 ** 30, share: 0.3, most: 5 },
        labels: {},
        templates: {},
      },
    });
  });

  it('applies configured values in the units of the key', () => {
    const given = {
      enabled: false,
      severity: 'critical',
      for: '0s',
      keep_firing_for: '2m',
      longest: '1h',
      largest: '500MB',
      share: 0.05,
      most: 0,
      labels: { team: 'graph' },
      summary: '{{summary}}!',
      description: 'See {{node}}.',
    };
    expect(section.parse({ quick: given }).quick).toEqual({
      enabled: false,
      severity: 'critical',
      for: 0,
      keepFiringFor: 120_000,
      thresholds: { longest: 3600, largest: 5e8, share: 0.05, most: 0 },
      labels: { team: 'graph' },
      templates: { summary: '{{summary}}!', description: 'See {{node}}.' },
    });
  });

  it.each([
    [{ severity: 'grave' }, 'quick.severity'],
    [{ for: 'soon' }, 'quick.for'],
    [{ longest: 90 }, 'quick.longest'],
    [{ longest: '0s' }, 'quick.longest'],
    [{ largest: '5 parsecs' }, 'quick.largest'],
    [{ share: 1.5 }, 'quick.share'],
    [{ most: -1 }, 'quick.most'],
    [{ labels: { 'not-a-name': 'x' } }, 'quick.labels'],
    [{ summary: '{{open' }, 'quick.summary'],
    [{ shortest: 1 }, 'quick'],
  ])('refuses %j', (given, path) => {
    expect(complaints(given)).toEqual([expect.stringContaining(path)]);
  });

  it.each([
    ['endpoint_timeouts', { share: 1 }, 'endpoint_timeouts.share: must be less than 1'],
    ['memory_near_abort', { below_free: 0 }, 'memory_near_abort.below_free: must be more than 0'],
    ['memory_near_abort', { throttled_below: 1 }, 'memory_near_abort.throttled_below: must be less than 1'],
    ['delay_queue_pressure', { share: 0 }, 'delay_queue_pressure.share: must be more than 0'],
    ['collector_blind', { intervals: 0 }, 'collector_blind.intervals: must be more than 0'],
    ['disk_filling', { critical_bytes: '20GB' }, 'disk_filling.critical_bytes: must not be more than below_bytes'],
    ['disk_filling', { below_bytes: '1GB' }, 'disk_filling.critical_bytes: must not be more than below_bytes'],
    ['license_expiring', { critical_within: '60d' }, 'license_expiring.critical_within: must not be more than within'],
  ])('rejects for %s invalid settings: %j', (name, given, complaint) => {
    const read = rulesSection(rules).safeParse({ [name]: given });
    expect(read.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
      expect.stringContaining(complaint),
    ]);
  });

  it.each([
    ['disk_filling', { below_bytes: '2GiB', critical_bytes: '2GiB' }],
    ['memory_near_abort', { throttled_below: 0 }],
    ['endpoint_timeouts', { share: 0, min_requests: 0 }],
  ])('accepts for %s unusual valid settings: %j', (name, given) => {
    expect(rulesSection(rules).safeParse({ [name]: given }).success).toBe(true);
  });

  it('rejects unknown rules', () => {
    expect(section.safeParse({ other: {} }).success).toBe(false);
    expect(Object.keys(rulesSection(rules).parse({}))).toEqual(rules.map(({ name }) => name));
  });
});
