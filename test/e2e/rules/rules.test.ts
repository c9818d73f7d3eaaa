import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { documentedMetrics } from '../../../tools/generate/metrics-reference.ts';
import type { RuleGroup } from '../../../tools/generate/rules/rule-file.ts';
import { alertGroups, recordingGroups } from '../../../tools/generate/rules/rule-files.ts';
import { casesOfRun } from '../../support/campaign.ts';
import { testRules } from '../../support/promtool.ts';
import { findTool } from '../../support/tools.ts';
import { casesOf, withoutTexts } from './promtool-cases.ts';
import type { RuleCase } from './rule-case.ts';
import { ruleCases } from './rule-cases.ts';

const promtool = findTool('promtool');
const folder = mkdtempSync(join(tmpdir(), 'alert-rules-'));
const alerts = alertGroups().flatMap(({ rules }) => rules.flatMap((rule) => ('alert' in rule ? [rule] : [])));
const catalogue = new Map(documentedMetrics().map(({ name, labels }) => [name, labels]));

afterAll(() => rmSync(folder, { recursive: true }));

function check(...words: readonly string[]): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(promtool ?? '', words, { encoding: 'utf8', cwd: folder });
  return { status, said: `${stdout}${stderr}` };
}

function put(name: string, content: unknown): string {
  writeFileSync(join(folder, name), stringify(content, { lineWidth: 0 }));
  return name;
}

/** An alert alone, after the records that it goes by: the windows of others take their time. */
function groupsFor(alert: string, labels: RuleCase['labels']): readonly RuleGroup[] {
  const own = alerts.filter((rule) => variant(rule.alert, rule.labels) === variant(alert, labels));
  const all = recordingGroups().flatMap(({ rules }) => rules.flatMap((rule) => ('record' in rule ? [rule] : [])));
  const namedIn = (rules: readonly { readonly expr: string }[]): typeof all =>
    all.filter(({ record }) => rules.some(({ expr }) => expr.split(/[^\w:]/).includes(record)));
  const ratios = namedIn(own);
  return [
    { name: 'records', rules: [...new Set([...namedIn(ratios), ...ratios])] },
    { name: 'alerts', rules: own },
  ];
}

/** A story with its number. */
type NumberedStory = RuleCase & { readonly at: number };

function fileOf({ at }: NumberedStory): string {
  return `test-${at}.yml`;
}

/** Writes the test file of a story with its rules, and returns its name. */
function putStory(story: NumberedStory): string {
  const groups = groupsFor(story.alert, story.labels);
  return put(fileOf(story), {
    rule_files: [put(`rules-${story.at}.yml`, { groups: withoutTexts(groups) })],
    group_eval_order: groups.map(({ name }) => name),
    evaluation_interval: `${story.every ?? 15}s`,
    tests: casesOf(story),
  });
}

/** Returns what distinguishes alerts of one name. */
function variant(alert: string, { severity = '', long = '' }: Readonly<Record<string, string>>): string {
  return `${alert} ${severity} ${long}`.trim();
}

/**
 * Alert without the cases of a story: its expression has no series that could nearly match, end, restart or be missing. A test
 * of its own checks that it always fires.
 */
const constant = 'GraphwardenWatchdog info';

it('every alert has a test case, and every test case an alert', () => {
  const tested = ruleCases.map(({ alert, labels }) => variant(alert, labels));
  const known = alerts.map(({ alert, labels }) => variant(alert, labels));
  expect([...new Set(tested), constant].toSorted()).toEqual(known.toSorted());
  const withoutSeries = alerts.filter(({ expr }) => !/[_:{]/.test(expr));
  expect(withoutSeries.map(({ alert, labels }) => variant(alert, labels))).toEqual([constant]);
});

/** The labels that a family has on the page. Prometheus itself adds `up`, and `env` is a label of a cluster. */
function labelsOnPage(family: string): readonly string[] | undefined {
  return family === 'up' ? [] : catalogue.get(family);
}

it('every series of a test case is one of the page, with all of its labels and no others', () => {
  const casesWithData = ruleCases.flatMap(({ healthy, bad, nearMiss, unrelated = [] }) => [
    healthy,
    bad,
    nearMiss,
    ...unrelated,
  ]);
  const series = [...new Set(casesWithData.flatMap((setup) => Object.keys(setup)))];
  const unreal = series.filter((name) => {
    const [family = ''] = name.split('{');
    const given = [...name.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
    const declared = labelsOnPage(family);
    const added = family === 'up' ? ['namespace'] : declared?.includes('cluster_name') === true ? ['env'] : [];
    const own = given.filter((label) => !added.includes(label));
    return declared === undefined || own.toSorted().join() !== declared.toSorted().join();
  });
  expect(unreal).toEqual([]);
});

describe.skipIf(promtool === undefined)('the rule files', () => {
  it('are valid for promtool', () => {
    const files = ['graphwarden.alerts.yaml', 'graphwarden.records.yaml'];
    const { status, said } = check(
      'check',
      'rules',
      ...files.map((file) => join(process.cwd(), 'dashboards/rules', file)),
    );
    expect({ status, said }).toMatchObject({ status: 0, said: expect.stringContaining('SUCCESS') });
  });

  const stories = casesOfRun(
    ruleCases.map((story, at) => ({ ...story, at })),
    ({ isCampaignOnly }) => isCampaignOnly !== true,
  );
  let results: ReadonlyMap<string, string>;

  beforeAll(async () => {
    results = await testRules(folder, stories.map(putStory));
  });

  it.each(stories)('fire for $alert ($labels.severity $labels.long, case $at), and not otherwise', (story) => {
    expect(results.get(fileOf(story))?.trim()).toBe('SUCCESS');
  });

  it('fire the watchdog with any page: healthy, bad, restarted or missing', async () => {
    const rules = put('watchdog.yml', { groups: alertGroups() });
    const firing = 'ALERTS{alertname="GraphwardenWatchdog",alertstate="firing",severity="info"}';
    const checks = ['0s', '15s', '30s', '45s', '75s', '10m'].map((time) => ({
      expr: 'ALERTS{alertname="GraphwardenWatchdog"}',
      eval_time: time,
      exp_samples: [{ labels: firing, value: 1 }],
    }));
    const tests = [
      [],
      [
        { series: 'up{job="graphwarden"}', values: '1 0 stale _ _ 1x40' },
        { series: 'graphwarden_notifications_total{receiver="oncall"}', values: '7 8 stale _ _ 0+1x40' },
      ],
    ].map((series) => ({ interval: '15s', input_series: series, promql_expr_test: checks }));
    const file = put('watchdog-test.yml', { rule_files: [rules], evaluation_interval: '15s', tests });
    expect((await testRules(folder, [file])).get(file)?.trim()).toBe('SUCCESS');
  });
});
