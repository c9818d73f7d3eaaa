import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { alertGroups } from '../../../tools/generate/rules/rule-files.ts';
import { findTool } from '../../support/tools.ts';
import { casesOf } from './promtool-cases.ts';
import type { RuleCase } from './rule-case.ts';
import { ruleCases } from './rule-cases.ts';

const promtool = findTool('promtool');
const fired = /Labels:\{alertname="(\w+)"[^}]*severity="(\w+)"[^}]*\}\s+Annotations:\{(.*)\}/g;
const folder = mkdtempSync(join(tmpdir(), 'alert-texts-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** The annotations of what fires in a story, as Prometheus fills them in. */
function textsOf(story: RuleCase): readonly string[] {
  const groups = alertGroups().map((group) => ({
    ...group,
    rules: group.rules.filter((rule) => 'alert' in rule && rule.alert === story.alert),
  }));
  writeFileSync(join(folder, 'rules.yml'), stringify({ groups: groups.filter(({ rules }) => rules.length > 0) }));
  const [fires] = casesOf(story);
  const time = fires?.promql_expr_test.findLast(({ exp_samples: firing }) => firing.length > 0)?.eval_time;
  // Nothing is expected, so that it prints what there is.
  const test = { ...fires, promql_expr_test: [], alert_rule_test: [{ eval_time: time, alertname: story.alert }] };
  const file = { rule_files: ['rules.yml'], evaluation_interval: '15s', tests: [test] };
  writeFileSync(join(folder, 'test.yml'), stringify(file, { lineWidth: 0 }));
  const words = ['test', 'rules', 'test.yml'];
  const { stdout, stderr } = spawnSync(promtool ?? '', words, { encoding: 'utf8', cwd: folder });
  return [...`${stdout}${stderr}`.matchAll(fired)].map(([, name, severity, annotations = '']) => {
    const lines = annotations.split(/", (?=\w+=")/).map((line) => `  ${line.replace(/"$/, '').replace('="', ': ')}`);
    return [`${name} (${severity})`, ...lines].join('\n');
  });
}

describe.skipIf(promtool === undefined)('the texts of alerts', () => {
  it('say what is wrong and where, when Prometheus fills them in', async () => {
    // Those of burn rates need days; they are all alike.
    const all = ruleCases.filter(({ labels }) => labels.long === undefined).map(textsOf);
    expect(all.filter((texts) => texts.length === 0)).toEqual([]);
    for (const text of all.flat()) {
      expect(text).not.toMatch(/<no value>|<error|\{\{|\}\}|%!|\bNaN\b/);
      expect(text).toMatch(/\n {2}summary: .+/);
      expect(text).toMatch(/\n {2}description: .+\./);
    }
    await expect(`${[...new Set(all.flat())].join('\n\n')}\n`).toMatchFileSnapshot('../../golden/alert-texts.txt');
  });
});
