import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { rules } from '../../../../src/alert/rules/all.ts';
import { documentedMetrics } from '../../../../tools/generate/metrics-reference.ts';
import { alertGroups, recordingGroups, ruleFiles } from '../../../../tools/generate/rules/rule-files.ts';

const alerts = alertGroups().flatMap((group) => group.rules.flatMap((rule) => ('alert' in rule ? [rule] : [])));
const records = recordingGroups().flatMap((group) => group.rules.flatMap((rule) => ('record' in rule ? [rule] : [])));
const known = new Map(documentedMetrics().map(({ name, labels }) => [name, labels]));
const attached = ['job', 'instance', 'pod', 'container', 'endpoint', 'service', 'namespace'];

/** Returns labels in matchers and in label lists of an expression. */
function labelsIn(expression: string): readonly string[] {
  const matched = [...expression.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  );
  const listed = [...expression.matchAll(/\b(?:by|without|on|ignoring|group_left)\s*\(([^)]*)\)/g)].flatMap(
    ([, inside = '']) => inside.split(',').map((label) => label.trim()),
  );
  return [...matched, ...listed].filter((label) => label !== '');
}

/** Returns names of metrics and recorded series in an expression. */
function seriesIn(expression: string): readonly string[] {
  return expression.match(/\b(?:graphdb|graphwarden)_\w+|\b\w+:\w+:\w+/g) ?? [];
}

describe('rule files', () => {
  it('contain the groups as YAML', () => {
    const [first, second] = ruleFiles();
    expect(parse(first?.text ?? '')).toEqual({ groups: alertGroups() });
    expect(parse(second?.text ?? '')).toEqual({ groups: recordingGroups() });
    expect(readFileSync(first?.path ?? '', 'utf8')).toBe(first?.text);
  });

  it('have an alert for each expression of each rule, by severity', () => {
    const expressions = rules.flatMap(({ twin, severityTwins = [] }) =>
      twin === undefined ? [] : [twin, ...severityTwins],
    );
    expect(alertGroups()[0]?.rules).toHaveLength(expressions.length);
    expect(expressions.length).toBeGreaterThanOrEqual(rules.length);
  });

  it('list rules without an expression in the heading', () => {
    const without = rules.filter(({ twin }) => twin === undefined).map(({ name }) => name);
    expect(ruleFiles()[0]?.text).toContain(`that no series can express: ${without.join(', ') || 'none'}.`);
  });

  it('use only metrics of the catalog and recorded series', () => {
    const names = [...alerts, ...records].flatMap(({ expr }) => seriesIn(expr));
    const recorded = new Set(records.map(({ record }) => record));
    expect(names.length).toBeGreaterThan(80);
    expect(names.filter((name) => !known.has(name) && !recorded.has(name))).toEqual([]);
  });

  it('use only labels of these metrics', () => {
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

  it('have one alert per name, severity and burn rate', () => {
    const names = alerts.map(({ alert, labels }) => `${alert} ${Object.values(labels).join(' ')}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('alerts', () => {
  it.each(alerts)(
    '$alert ($labels.severity, case %$) has a severity, texts and links',
    ({ labels, annotations, expr }) => {
      expect(['critical', 'warning', 'info']).toContain(labels.severity);
      expect(Object.keys(annotations).toSorted()).toEqual(['dashboard_url', 'description', 'runbook_url', 'summary']);
      const texts = Object.values(annotations).join('\n');
      expect(texts.replaceAll(/\{\{ .*? \}\}/g, '')).not.toMatch(/\{\{|\}\}/);
      const named = [...texts.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
      const own = seriesIn(expr).flatMap((name) => known.get(name) ?? []);
      const fromRecords = ['cluster_name', 'service_name', 'partition', ...attached];
      expect(named.filter((label) => !own.includes(label) && !fromRecords.includes(label))).toEqual([]);
    },
  );

  it.each(alerts)(
    '$alert ($labels.severity, case %$) aggregates the labels that distinguish instances of graphwarden',
    ({ alert, expr }) => {
      const isAggregated = /^(?:max|sum) (?:without|by) \(/.test(expr) || /^\w+:\w+:/.test(expr);
      expect(isAggregated).toBe(!['GraphwardenWatchdog', 'GraphwardenTargetDown'].includes(alert));
      if (expr.startsWith('max without (')) expect(expr).toMatch(/^max without \(instance, pod, /);
    },
  );
});
