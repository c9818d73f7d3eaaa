import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { alertGroups } from '../../../tools/generate/rules/rule-files.ts';
import { testRules } from '../../support/promtool.ts';
import { findTool } from '../../support/tools.ts';
import { casesOf } from './promtool-cases.ts';
import type { RuleCase } from './rule-case.ts';
import { ruleCases } from './rule-cases.ts';

const fired = /Labels:\{alertname="(\w+)"[^}]*severity="(\w+)"[^}]*\}\s+Annotations:\{(.*)\}/g;
const folder = mkdtempSync(join(tmpdir(), 'alert-texts-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the test file of a story, and returns its name. */
function putStory(story: RuleCase, at: number): string {
  const groups = alertGroups().map((group) => ({
    ...group,
    rules: group.rules.filter((rule) => 'alert' in rule && rule.alert === story.alert),
  }));
  const rules = `rules-${at}.yml`;
  writeFileSync(join(folder, rules), stringify({ groups: groups.filter(({ rules: own }) => own.length > 0) }));
  const [fires] = casesOf(story);
  const time = fires?.promql_expr_test.findLast(({ exp_samples: firing }) => firing.length > 0)?.eval_time;
  // Nothing is expected, so that it prints what there is.
  const test = { ...fires, promql_expr_test: [], alert_rule_test: [{ eval_time: time, alertname: story.alert }] };
  const name = `test-${at}.yml`;
  const file = { rule_files: [rules], evaluation_interval: '15s', tests: [test] };
  writeFileSync(join(folder, name), stringify(file, { lineWidth: 0 }));
  return name;
}

/** The annotations of what fires in a story, as Prometheus fills them in. */
function textsIn(output: string): readonly string[] {
  return [...output.matchAll(fired)].map(([, name, severity, annotations = '']) => {
    const lines = annotations.split(/", (?=\w+=")/).map((line) => `  ${line.replace(/"$/, '').replace('="', ': ')}`);
    return [`${name} (${severity})`, ...lines].join('\n');
  });
}

describe.skipIf(findTool('promtool') === undefined)('the texts of alerts', () => {
  it('name the problem and its location when Prometheus renders them', async () => {
    // Those of burn rates need days; they are all alike.
    const files = ruleCases.filter(({ labels }) => labels.long === undefined).map(putStory);
    const all = [...(await testRules(folder, files)).values()].map(textsIn);
    expect(all.filter((texts) => texts.length === 0)).toEqual([]);
    for (const text of all.flat()) {
      expect(text).not.toMatch(/<no value>|<error|\{\{|\}\}|%!|\bNaN\b/);
      expect(text).toMatch(/\n {2}summary: .+/);
      expect(text).toMatch(/\n {2}description: .+\./);
    }
    await expect(`${[...new Set(all.flat())].join('\n\n')}\n`).toMatchFileSnapshot('../../golden/alert-texts.txt');
  });
});
