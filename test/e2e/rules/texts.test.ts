import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { alertGroups, recordGroups } from '../../../generate/rules/files.ts';
import { findTool } from '../../support/tools.ts';
import { casesOf } from './promtool-cases.ts';
import { stories } from './stories.ts';

const promtool = findTool('promtool');
const folder = mkdtempSync(join(tmpdir(), 'alert-texts-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** The annotations of what fires at the end of each story, as Prometheus fills them in. */
function texts(): readonly string[] {
  const slow = stories.filter(({ labels }) => labels.long === undefined);
  writeFileSync(join(folder, 'rules.yml'), stringify({ groups: [...recordGroups(), ...alertGroups()] }));
  const tests = slow.flatMap((story) => {
    const [fires] = casesOf(story);
    const time = fires?.promql_expr_test.at(-1)?.eval_time;
    // Nothing is expected, so that it prints what there is.
    return [{ ...fires, promql_expr_test: [], alert_rule_test: [{ eval_time: time, alertname: story.alert }] }];
  });
  const file = { rule_files: ['rules.yml'], evaluation_interval: '15s', tests };
  writeFileSync(join(folder, 'test.yml'), stringify(file, { lineWidth: 0 }));
  const { stdout, stderr } = spawnSync(promtool ?? '', ['test', 'rules', 'test.yml'], {
    encoding: 'utf8',
    cwd: folder,
  });
  const said = `${stdout}${stderr}`;
  return [...said.matchAll(/Labels:\{alertname="(\w+)"[^}]*severity="(\w+)"[^}]*\}\s+Annotations:\{(.*)\}/g)].map(
    ([, name, severity, annotations = '']) =>
      [
        `${name} (${severity})`,
        ...annotations.split(/", (?=\w+=")/).map((line) => `  ${line.replace(/"$/, '').replace('="', ': ')}`),
      ].join('\n'),
  );
}

describe.skipIf(promtool === undefined)('the texts of alerts', () => {
  it('say what is wrong and where, when Prometheus fills them in', async () => {
    const all = texts();
    expect(all.length).toBeGreaterThanOrEqual(stories.filter(({ labels }) => labels.long === undefined).length);
    for (const text of all) {
      expect(text).not.toMatch(/<no value>|<error|\{\{|\}\}|%!|\bNaN\b/);
      expect(text).toMatch(/\n {2}summary: .+/);
      expect(text).toMatch(/\n {2}description: .+\./);
    }
    await expect(`${[...new Set(all)].join('\n\n')}\n`).toMatchFileSnapshot('../../golden/alert-texts.txt');
  }, 60_000);
});
