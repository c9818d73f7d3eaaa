import { expect, it } from 'vitest';
import type { Rule } from '../../src/alert/rule.ts';
import { collectors } from '../../src/collect/all.ts';
import { probeMetrics } from '../../src/collect/probes/probe-collector.ts';

const snakeCase = /^[a-z]+(?:_[a-z]+)*$/;
const declared = [...collectors.flatMap(({ metrics }) => metrics), ...probeMetrics];
const families = new Set(declared.map(({ name }) => name));
const collectorNames = collectors.map(({ name }) => name);

/** Tests that every alert rule must pass. */
export function ruleSuite(rule: Rule): void {
  it('has a name in snake case, and texts', () => {
    expect(rule.name).toMatch(snakeCase);
    expect(rule.about).toMatch(/\.$/);
    expect(rule.description).toMatch(/\.$/);
    expect(rule.summary).not.toBe('');
    expect(rule.for).toBeGreaterThanOrEqual(0);
  });

  it('declares the thresholds of its expression for Prometheus', () => {
    const names = rule.thresholds.map(({ name }) => name);
    expect(names.filter((name) => !snakeCase.test(name))).toEqual([]);
    const used = [...(rule.twin ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
    expect(used.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('needs collectors and families that exist', () => {
    if (rule.scope === 'self') return;
    expect(rule.needs.filter((need) => !collectorNames.includes(need))).toEqual([]);
    expect(rule.families.filter((family) => !families.has(family))).toEqual([]);
    expect((rule.slopes ?? []).filter((family) => !rule.families.includes(family))).toEqual([]);
  });
}
