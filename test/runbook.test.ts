import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rules } from '../src/alert/rules/all.ts';
import { absenceRules } from '../tools/generate/rules/absence-alerts.ts';
import { objectives } from '../tools/generate/rules/objectives.ts';
import { alertGroups } from '../tools/generate/rules/rule-files.ts';

const runbook = readFileSync('docs/runbook.md', 'utf8');
const entries = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((entry) => [entry.slice(0, entry.indexOf('\n')), entry] as const),
);
/** Rules of the catalog, and alerts that only Prometheus can evaluate. */
const names = [...rules, ...objectives, ...absenceRules].map(({ name }) => name);
const parts = ['Symptom', 'Likely causes', 'Checks', 'Fix'];

describe('the runbook', () => {
  it('has an entry for each rule and no others', () => {
    expect([...entries.keys()].toSorted()).toEqual(names.toSorted());
  });

  it.each(names)('describes the symptom, causes, checks and actions of %s', (name) => {
    const entry = entries.get(name) ?? '';
    const positions = parts.map((part) => entry.indexOf(`**${part}.** `));
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
  });

  it('has the target of each link of alerts for Prometheus', () => {
    const links = alertGroups().flatMap((group) =>
      group.rules.flatMap((rule) => ('alert' in rule ? [rule.annotations.runbook_url ?? ''] : [])),
    );
    expect(links.length).toBeGreaterThan(names.length);
    expect(new Set(links.map((link) => link.slice(0, link.indexOf('#'))))).toEqual(
      new Set(['https://github.com/graphwarden/graphwarden/blob/main/docs/runbook.md']),
    );
    expect(links.filter((link) => !entries.has(link.slice(link.indexOf('#') + 1)))).toEqual([]);
  });

  it('names only thresholds that the rule of the entry has', () => {
    const own = new Map(rules.map((rule) => [rule.name, rule.thresholds.map(({ name }) => name)]));
    const all = new Set([...own.values()].flat());
    const others = [...entries].flatMap(([name, entry]) =>
      [...entry.matchAll(/`([a-z_]+)`/g)]
        .map(([, word = '']) => word)
        .filter((word) => all.has(word) && own.get(name)?.includes(word) !== true),
    );
    expect(others).toEqual([]);
  });

  it('links to existing entries', () => {
    const targets = [...runbook.matchAll(/\]\(#([a-z_]+)\)/g)].map(([, target = '']) => target);
    expect(targets.filter((target) => !entries.has(target))).toEqual([]);
  });
});
