import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import type { ClusterRule } from '../src/alert/rule.ts';
import { rules } from '../src/alert/rules/all.ts';
import { runCli } from '../src/cli/cli.ts';
import type { Command } from '../src/cli/command.ts';
import type { Collector } from '../src/collect/collector.ts';
import type { PolicyCondition } from '../src/guard/conditions/condition.ts';
import { ok } from '../src/kernel/result.ts';
import type { Situation } from '../src/model/situation.ts';
import type { Receiver } from '../src/notify/receiver.ts';
import { queries as queriesDashboard } from '../tools/generate/dashboards/queries.ts';
import { withRuleLinks } from '../tools/generate/dashboards/rule-links.ts';
import { catalogAlerts } from '../tools/generate/rules/catalog-alerts.ts';
import { ruleFile } from '../tools/generate/rules/rule-file.ts';
import { findings, situationWith } from './alert/rules/rule-fixtures.ts';
import { collectorSuite } from './conformance/collector-suite.ts';
import { commandSuite } from './conformance/command-suite.ts';
import { conditionSuite } from './conformance/condition-suite.ts';
import { receiverSuite } from './conformance/receiver-suite.ts';
import { ruleSuite } from './conformance/rule-suite.ts';
import { casesOf, withoutTexts } from './e2e/rules/promtool-cases.ts';
import type { RuleCase } from './e2e/rules/rule-case.ts';
import { candidate, globs } from './guard/match-inputs.ts';
import { testPorts } from './support/cli-ports.ts';
import { fakeGraphDb } from './support/fake-graphdb.ts';
import { codeBlocks } from './support/guide.ts';
import { listed } from './support/loaded-commands.ts';
import { testRules } from './support/promtool.ts';
import { findTool, requireTool } from './support/tools.ts';

const root = process.cwd();
const guide = readFileSync('CONTRIBUTING.md', 'utf8');

/** Folder of the examples; it is in the project because they use its types. */
const folder = mkdtempSync(join(root, '.example-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [echoFile, manyQueriesFile, casesFile, timeFile, instanceFile, xyzFile] = [
  writeExample('src/collect/echo.ts'),
  writeExample('src/alert/rules/many-queries.ts'),
  writeExample('test/e2e/rules/load-cases.ts'),
  writeExample('src/cli/commands/time.ts'),
  writeExample('src/guard/conditions/instance.ts'),
  writeExample('src/notify/receivers/xyz.ts'),
];

/** Writes the code block of the guide for the file at `path` to the folder, with imports that work from there. */
function writeExample(path: string): string {
  const blocks = [...guide.matchAll(/```ts file=(\S+)\n([\s\S]*?)```/g)];
  const code = blocks.find(([, place]) => place === path)?.[2] ?? expect.fail(`no example for ${path}`);
  const file = join(folder, basename(path));
  const source = code.replaceAll(/from '(\.\.?\/[^']*)'/g, (_, target: string) => {
    return `from '../${join(dirname(path), target)}'`;
  });
  writeFileSync(file, source);
  return file;
}

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function lengthOf(file: string): number {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^ {2}\w/.test(line)).length;
}

it('the examples of the contributing guide compile', () => {
  const config = join(folder, 'tsconfig.json');
  const [entry = ''] = codeBlocks('CONTRIBUTING.md').flatMap(({ code }) => (code.startsWith('{ name:') ? [code] : []));
  const listFile = write(
    'list.ts',
    `import type { ListedCommand } from '../src/cli/command.ts';\nexport const list: ListedCommand[] = [${entry}];\n`,
  );
  const include = [listFile, echoFile, manyQueriesFile, casesFile, timeFile, instanceFile, xyzFile];
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), include }));
  expect(execFileSync('tsc', ['-p', config], { encoding: 'utf8' })).toBe('');
  expect(codeBlocks('CONTRIBUTING.md').filter(({ language }) => language === 'ts')).toHaveLength(include.length);
});

describe('tables of fields in the contributing guide', () => {
  it.each([
    ['## Add an alert rule', ['src/alert/rule.ts']],
    ['## Add a receiver', ['src/notify/receiver.ts', 'src/notify/http-receiver.ts']],
    ['## Add a policy condition', ['src/guard/conditions/condition.ts']],
  ])('%s: names only members of the type', (heading, files) => {
    const [section = ''] = (guide.split(heading)[1] ?? '').split('\n## ');
    const rows = [...section.matchAll(/^ *\| (`[^|]+) \|/gm)].map(([, names = '']) => names);
    const fields = rows.flatMap((names) => [...names.matchAll(/`(\w+)(?:\(.*?\))?`/g)].map(([, name = '']) => name));
    const types = files.map((file) => readFileSync(file, 'utf8')).join('\n');
    expect(fields.length).toBeGreaterThan(6);
    expect(fields.filter((name) => !new RegExp(`^ {2}(?:readonly )?${name}\\??[:(]`, 'm').test(types))).toEqual([]);
  });
});

describe('collector of the contributing guide', async () => {
  const { echo } = z.object({ echo: z.custom<Collector>() }).parse(await import(echoFile));
  collectorSuite(echo);

  it('has about ten lines', () => {
    expect(lengthOf(echoFile)).toBeLessThanOrEqual(10);
  });

  it('polls and returns samples', async () => {
    const db = fakeGraphDb({ echo: ok(true) });
    expect(await echo.poll(db, new AbortController().signal)).toEqual(ok(true));
    expect([...echo.samples(true, { wall: 0, mono: 0 })]).toMatchObject([{ labels: {}, value: 1 }]);
    db.finish();
  });
});

function withRunning(first: number, second: number): Situation {
  return situationWith({
    graphdb_queries_running: [
      [{ node: 'm1', graph: 'fraud' }, first],
      [{ node: 'm1', graph: 'social' }, 100],
      [{ node: 'm2', graph: 'fraud' }, second],
    ],
  });
}

describe('alert rule of the contributing guide', async () => {
  const { manyQueries } = z.object({ manyQueries: z.custom<ClusterRule>() }).parse(await import(manyQueriesFile));
  const { loadCases } = z.object({ loadCases: z.custom<readonly RuleCase[]>() }).parse(await import(casesFile));
  ruleSuite(manyQueries);

  it('finds a node above the threshold only', () => {
    expect(findings(manyQueries, withRunning(100, 200))).toEqual([]);
    expect(findings(manyQueries, withRunning(101, 200))).toEqual([
      { labels: { node: 'm1' }, facts: { queries: '201' } },
    ]);
  });

  it('is linked by a panel of its dashboard', () => {
    const links = withRuleLinks(queriesDashboard, [...rules, manyQueries]).rows.flatMap(({ panels }) =>
      panels.filter((panel) => panel.rules?.includes(manyQueries.name)),
    );
    expect(links.map(({ title }) => title)).toEqual(['Running queries']);
  });

  describe.skipIf(findTool('promtool') === undefined)('in Prometheus', () => {
    const groups = [{ name: 'example', rules: catalogAlerts([manyQueries]) }];

    it('is valid, with its texts', () => {
      const file = write('alerts.yaml', ruleFile('', [], groups).text);
      expect(execFileSync(requireTool('promtool'), ['check', 'rules', file], { encoding: 'utf8' })).toContain(
        'SUCCESS',
      );
      expect(groups[0]?.rules.map(({ annotations }) => annotations)).toMatchObject([
        {
          summary: '{{ $value | humanize }} queries run on {{ $labels.node }} of {{ $labels.cluster_name }}',
          dashboard_url: expect.stringContaining('/d/graphwarden-queries?'),
        },
      ]);
    });

    it('fires in its case, and not otherwise', async () => {
      write('rules.yaml', stringify({ groups: withoutTexts(groups) }));
      const tests = loadCases.flatMap(casesOf);
      write('test.yaml', stringify({ rule_files: ['rules.yaml'], evaluation_interval: '15s', tests }));
      expect((await testRules(folder, ['test.yaml'])).get('test.yaml')?.trim()).toBe('SUCCESS');
    });
  });
});

describe('command of the contributing guide', async () => {
  const { time } = z.object({ time: z.custom<Command>() }).parse(await import(timeFile));
  commandSuite({ name: 'time', about: 'print the time', ...time });

  it('has about ten lines', () => {
    expect(lengthOf(timeFile)).toBeLessThanOrEqual(10);
  });

  it('runs with its option and has a help page', async () => {
    const commands = [listed({ name: 'time', about: 'print the time', ...time })];
    const ports = testPorts();
    expect(await runCli(['time', '--json'], commands, ports)).toBe(0);
    expect(JSON.parse(ports.stdout.text())).toEqual({ seconds: expect.any(Number) });
    expect(await runCli(['time', '--help'], commands, ports)).toBe(0);
    expect(ports.stdout.text()).toContain('Usage: graphwarden time [options]');
  });
});

describe('policy condition of the contributing guide', async () => {
  const { instance } = z.object({ instance: z.custom<PolicyCondition>() }).parse(await import(instanceFile));
  conditionSuite(instance);

  it('has about ten lines', () => {
    expect(lengthOf(instanceFile)).toBeLessThanOrEqual(12);
  });

  it('matches by its patterns', () => {
    expect(instance.field.parse('RESTPP_1_*')).toEqual(globs('RESTPP_1_*'));
    expect(instance.test?.(globs('RESTPP_1_*'))(candidate())).toBe(true);
    expect(instance.test?.(globs('RESTPP_2_*'))(candidate())).toBe(false);
    expect(instance.phrases(globs('RESTPP_1_1'))).toEqual(['run on the instance RESTPP_1_1']);
  });
});

describe('receiver of the contributing guide', async () => {
  const { xyz } = z.object({ xyz: z.custom<Receiver>() }).parse(await import(xyzFile));
  receiverSuite(xyz);
});
