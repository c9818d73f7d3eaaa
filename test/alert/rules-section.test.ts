import { describe, expect, it } from 'vitest';
import type { Threshold } from '../../src/alert/rule.ts';
import { rules } from '../../src/alert/rules/all.ts';
import { rulesSection } from '../../src/alert/rules-section.ts';
import { ruleOf } from './alerting-bed.ts';

const thresholds: readonly Threshold[] = [
  { name: 'longest', about: 'A time.', unit: 'seconds', value: 90 },
  { name: 'largest', about: 'A size.', unit: 'bytes', value: 2 * 2 ** 30 },
  { name: 'share', about: 'A share.', unit: 'ratio', value: 0.3 },
  { name: 'most', about: 'A count.', unit: 'count', value: 5 },
];
const rule = ruleOf('quick', { hold: 60_000, keepFiring: 5000, thresholds });
const section = rulesSection([rule]);

function complaints(given: unknown): readonly string[] {
  const read = section.safeParse({ quick: given });
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('the section of rules', () => {
  it('has what each rule declares where nothing is given', () => {
    expect(section.parse(undefined)).toEqual({
      quick: {
        enabled: true,
        severity: 'warning',
        hold: 60_000,
        keepFiring: 5000,
        thresholds: { longest: 90, largest: 2 * 2 ** 30, share: 0.3, most: 5 },
        labels: {},
        templates: {},
      },
    });
  });

  it('takes over what is given, in the units in which it is written', () => {
    const given = {
      enabled: false,
      severity: 'critical',
      hold: '0s',
      keep_firing: '2m',
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
      hold: 0,
      keepFiring: 120_000,
      thresholds: { longest: 3600, largest: 5e8, share: 0.05, most: 0 },
      labels: { team: 'graph' },
      templates: { summary: '{{summary}}!', description: 'See {{node}}.' },
    });
  });

  it.each([
    [{ severity: 'grave' }, 'quick.severity'],
    [{ hold: 'soon' }, 'quick.hold'],
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

  it('knows no rules but those of the catalogue', () => {
    expect(section.safeParse({ other: {} }).success).toBe(false);
    expect(Object.keys(rulesSection(rules).parse({}))).toEqual(rules.map(({ name }) => name));
  });
});
