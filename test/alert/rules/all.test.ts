import { describe, expect, it } from 'vitest';
import { rules } from '../../../src/alert/rules/all.ts';
import { collectors } from '../../../src/collect/all.ts';

describe('the catalogue', () => {
  it('names each rule once, in snake case', () => {
    const names = rules.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+(?:_[a-z]+)*$/.test(name))).toEqual([]);
  });

  it.each(rules)('$name has texts, names its thresholds, and uses them', (rule) => {
    expect(rule.about).toMatch(/\.$/);
    expect(rule.description).toMatch(/\.$/);
    expect(rule.summary).not.toBe('');
    expect(rule.hold).toBeGreaterThanOrEqual(0);
    const names = rule.thresholds.map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z]+(?:_[a-z]+)*$/.test(name))).toEqual([]);
    const used = [...(rule.twin ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
    expect(used.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('takes what comes back within a minute for the same incident; the watchdog alone never ends', () => {
    expect(rules.filter(({ keepFiring }) => keepFiring < 60_000).map(({ name }) => name)).toEqual(['watchdog']);
  });

  it('goes by collectors and families that there are', () => {
    const known = new Set(collectors.flatMap(({ metrics }) => metrics.map(({ name }) => name)));
    const names = collectors.map(({ name }) => name);
    for (const rule of rules) {
      if (rule.scope === 'self') continue;
      expect(rule.needs.filter((need) => !names.includes(need))).toEqual([]);
      expect(rule.families.filter((family) => !known.has(family))).toEqual([]);
      expect((rule.slopes ?? []).filter((family) => !rule.families.includes(family))).toEqual([]);
    }
  });

  it('keeps pages for what has to be seen to now', () => {
    const pages = rules.filter(({ severity }) => severity === 'critical').map(({ name }) => name);
    expect(pages).toEqual([
      'node_unreachable',
      'partition_without_online_replica',
      'service_readonly',
      'memory_near_abort',
      'abort_unconfirmed',
      'guard_breaker_open',
      'guard_blind',
      'check_failed',
      'delivery_failing',
      'state_not_durable',
    ]);
  });
});
