import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { families } from '../../../generate/metrics.ts';
import { alertGroups, recordGroups, ruleFiles } from '../../../generate/rules/files.ts';
import { rules } from '../../../src/alert/rules/all.ts';

const alerts = alertGroups().flatMap((group) => group.rules.flatMap((rule) => ('alert' in rule ? [rule] : [])));
const records = recordGroups().flatMap((group) => group.rules.flatMap((rule) => ('record' in rule ? [rule] : [])));
const known = new Map(families().map(({ name, labels }) => [name, labels]));
const attached = ['job', 'instance', 'pod', 'container', 'endpoint', 'service', 'namespace'];

/** Labels that an expression names: in matchers, and behind the words that take a list of labels. */
function labelsIn(expression: string): readonly string[] {
  const matched = [...expression.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  );
  const listed = [...expression.matchAll(/\b(?:by|without|on|ignoring|group_left)\s*\(([^)]*)\)/g)].flatMap(
    ([, inside = '']) => inside.split(',').map((label) => label.trim()),
  );
  return [...matched, ...listed].filter((label) => label !== '');
}

/** Names of series: whatever stands before braces or brackets, or has one of our prefixes. */
function seriesIn(expression: string): readonly string[] {
  return expression.match(/\b(?:graphdb|graphwarden)_\w+|\b\w+:\w+:\w+/g) ?? [];
}

describe('the rule files', () => {
  it('hold what is printed, as YAML that says the same', () => {
    const [first, second] = ruleFiles();
    expect(parse(first?.text ?? '')).toEqual({ groups: alertGroups() });
    expect(parse(second?.text ?? '')).toEqual({ groups: recordGroups() });
    expect(readFileSync(first?.path ?? '', 'utf8')).toBe(first?.text);
  });

  it('have an alert for each rule of the catalogue that has a twin, at each of its severities', () => {
    const catalogue = rules.flatMap(({ twin, otherTwins = [] }) => (twin === undefined ? [] : [twin, ...otherTwins]));
    expect(alertGroups()[0]?.rules).toHaveLength(catalogue.length);
    expect(catalogue.length).toBeGreaterThanOrEqual(rules.length);
  });

  it('tell in their heading which rules no series can tell', () => {
    const without = rules.filter(({ twin }) => twin === undefined).map(({ name }) => name);
    expect(ruleFiles()[0]?.text).toContain(`that no series can tell: ${without.join(', ') || 'none'}.`);
  });

  it('name only families that are on the page, and series that are recorded', () => {
    const names = [...alerts, ...records].flatMap(({ expr }) => seriesIn(expr));
    const recorded = new Set(records.map(({ record }) => record));
    expect(names.length).toBeGreaterThan(80);
    expect(names.filter((name) => !known.has(name) && !recorded.has(name))).toEqual([]);
  });

  it('name only labels that these families have', () => {
    for (const { expr } of [...alerts, ...records]) {
      const own = new Set(seriesIn(expr).flatMap((name) => known.get(name) ?? []));
      expect({ expr, unknown: labelsIn(expr).filter((label) => !own.has(label) && !attached.includes(label)) }).toEqual(
        {
          expr,
          unknown: [],
        },
      );
    }
  });

  it('use each recorded series', () => {
    const used = new Set([...alerts, ...records].flatMap(({ expr }) => seriesIn(expr)));
    expect(records.filter(({ record }) => !used.has(record))).toEqual([]);
  });

  it('name each alert once at each severity and speed', () => {
    const names = alerts.map(({ alert, labels }) => `${alert} ${Object.values(labels).join(' ')}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('an alert', () => {
  it.each(alerts)('$alert says how urgent it is, what is wrong and where to look', ({ labels, annotations, expr }) => {
    expect(['critical', 'warning', 'info']).toContain(labels.severity);
    expect(Object.keys(annotations).toSorted()).toEqual(['dashboard_url', 'description', 'runbook_url', 'summary']);
    const texts = Object.values(annotations).join('\n');
    expect(texts.replaceAll(/\{\{ .*? \}\}/g, '')).not.toMatch(/\{\{|\}\}/);
    const named = [...texts.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
    const own = seriesIn(expr).flatMap((name) => known.get(name) ?? []);
    const fromRecords = ['cluster_name', 'service_name', 'partition', ...attached];
    expect(named.filter((label) => !own.includes(label) && !fromRecords.includes(label))).toEqual([]);
  });

  it.each(alerts)('$alert leaves out what tells one graphwarden from another', ({ alert, expr }) => {
    const isAggregated = /^(?:max|sum) (?:without|by) \(/.test(expr) || /^\w+:\w+:/.test(expr);
    expect(isAggregated).toBe(!['GraphwardenWatchdog', 'GraphwardenTargetDown'].includes(alert));
    if (expr.startsWith('max without (')) expect(expr).toMatch(/^max without \(instance, pod, /);
  });
});
