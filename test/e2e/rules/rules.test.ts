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
import { casesOf } from './promtool-cases.ts';
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

/** A story as promtool plays it. */
interface Play {
  readonly at: number;
  readonly every: number;
  readonly groups: readonly RuleGroup[];
  readonly cases: ReturnType<typeof casesOf>;
  /** Names of the series of its cases and of its rules. */
  readonly families: ReadonlySet<string>;
  /** Samples of its longest case. */
  readonly length: number;
}

/** The names of all series that stories or records have. */
const families = new Set([
  ...ruleCases.flatMap(({ well, bad, near, elsewhere = [] }) =>
    [well, bad, near, ...elsewhere].flatMap((scene) => Object.keys(scene).map((name) => name.replace(/\{.*/s, ''))),
  ),
  ...recordingGroups().flatMap(({ rules }) => rules.flatMap((rule) => ('record' in rule ? [rule.record] : []))),
]);

function playOf(story: NumberedStory): Play {
  const groups = groupsFor(story.alert, story.labels);
  const cases = casesOf(story);
  const rules = groups.flatMap((group) => group.rules);
  const names = cases.flatMap((one) => one.input_series.map(({ series }) => series.replace(/\{.*/s, '')));
  const words = rules.flatMap((rule) => [...rule.expr.split(/[^\w:]+/), 'record' in rule ? rule.record : '']);
  return {
    at: story.at,
    every: story.every ?? 15,
    groups,
    cases,
    families: new Set([...names, ...words.filter((word) => families.has(word))]),
    length: Math.max(...cases.flatMap((one) => one.input_series.map(({ values }) => values.split(' ').length))),
  };
}

/** Most stories of a file. Each of its tests lasts as long as the longest case in it. */
const mostInFile = 5;

/**
 * Returns the stories that share a file: promtool opens a storage for each test, so one test plays a case of each of them.
 * They have no series in common, so that no story sees the others.
 */
function filesOf(plays: readonly Play[]): readonly (readonly Play[])[] {
  const files: Play[][] = [];
  for (const play of plays.toSorted((one, other) => other.length - one.length)) {
    const file = files.find(
      (others) =>
        others.length < mostInFile &&
        others.every(({ every, families }) => every === play.every && families.isDisjointFrom(play.families)),
    );
    if (file === undefined) files.push([play]);
    else file.push(play);
  }
  return files;
}

/** Writes the test file of some stories with their rules, and returns its name. */
function putStories(plays: readonly Play[]): string {
  const [{ at, every } = expect.fail('a file has stories')] = plays;
  const groups = ['records', 'alerts'].map((name) => ({
    name,
    rules: plays.flatMap((play) => play.groups.filter((group) => group.name === name).flatMap(({ rules }) => rules)),
  }));
  const most = Math.max(...plays.map(({ cases }) => cases.length));
  const tests = Array.from({ length: most }, (_, index) => {
    const cases = plays.flatMap((play) => play.cases[index] ?? []);
    return {
      name: cases.map(({ name }) => name).join('; '),
      interval: `${every}s`,
      input_series: cases.flatMap((one) => one.input_series),
      promql_expr_test: cases.flatMap((one) => one.promql_expr_test),
    };
  });
  return put(`test-${at}.yml`, {
    rule_files: [put(`rules-${at}.yml`, { groups })],
    group_eval_order: groups.map(({ name }) => name),
    evaluation_interval: `${every}s`,
    tests,
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

it('every alert has a story, and every story an alert', () => {
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

it('every series of a story is one that the page can hold, with all of its labels and no others', () => {
  const casesWithData = ruleCases.flatMap(({ well, bad, near, elsewhere = [] }) => [well, bad, near, ...elsewhere]);
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
  it('are what promtool takes for rules', () => {
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
    ({ takesLong }) => takesLong !== true,
  );
  /** What promtool says of each story, by its number. */
  const results = new Map<number, string>();

  beforeAll(async () => {
    const files = filesOf(stories.map(playOf));
    const names = files.map(putStories);
    const said = await testRules(folder, names);
    for (const [index, plays] of files.entries())
      for (const { at } of plays) results.set(at, said.get(names[index] ?? '')?.trim() ?? '');
  });

  it.each(stories)('fire for $alert ($labels.severity $labels.long, story $at), and do not by mistake', (story) => {
    expect(results.get(story.at)).toBe('SUCCESS');
  });

  it('fire the watchdog whatever is on the page: healthy, bad, restarted or missing', async () => {
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
