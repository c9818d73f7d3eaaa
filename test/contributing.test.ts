import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ClusterRule } from '../src/alert/rule.ts';
import { runCli } from '../src/cli/cli.ts';
import type { Command } from '../src/cli/command.ts';
import type { Collector } from '../src/collect/collector.ts';
import type { PolicyCondition } from '../src/guard/conditions/condition.ts';
import { ok } from '../src/kernel/result.ts';
import type { Situation } from '../src/model/situation.ts';
import type { Receiver } from '../src/notify/receiver.ts';
import { findings, situationWith } from './alert/rules/rule-fixtures.ts';
import { receiverSuite } from './conformance/receiver-suite.ts';
import { ruleSuite } from './conformance/rule-suite.ts';
import { candidate, globs } from './guard/match-inputs.ts';
import { testPorts } from './support/cli-ports.ts';
import { fakeGraphDb } from './support/fake-graphdb.ts';
import { listed } from './support/loaded-commands.ts';

const root = process.cwd();
const guide = readFileSync('CONTRIBUTING.md', 'utf8');

/** Folder of the examples; it is in the project because they use its types. */
const folder = mkdtempSync(join(root, '.example-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [echoFile, ruleFile, timeFile, instanceFile, xyzFile] = [
  writeExample('src/collect/echo.ts'),
  writeExample('src/alert/rules/many-queries.ts'),
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

function lengthOf(file: string): number {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^ {2}\w/.test(line)).length;
}

it('the examples of the contributing guide compile', () => {
  const config = join(folder, 'tsconfig.json');
  const include = [echoFile, ruleFile, timeFile, instanceFile, xyzFile];
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), include }));
  expect(execFileSync('tsc', ['-p', config], { encoding: 'utf8' })).toBe('');
  expect(guide.match(/^```ts file=/gm)).toHaveLength(include.length);
});

describe('collector of the contributing guide', () => {
  it('has about ten lines', () => {
    expect(lengthOf(echoFile)).toBeLessThanOrEqual(10);
  });

  it('polls and returns samples', async () => {
    const { echo } = z.object({ echo: z.custom<Collector>() }).parse(await import(echoFile));
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
  const { manyQueries } = z.object({ manyQueries: z.custom<ClusterRule>() }).parse(await import(ruleFile));
  ruleSuite(manyQueries);

  it('finds a node above the threshold only', () => {
    expect(findings(manyQueries, withRunning(100, 200))).toEqual([]);
    expect(findings(manyQueries, withRunning(101, 200))).toEqual([
      { labels: { node: 'm1' }, facts: { queries: '201' } },
    ]);
  });
});

describe('command of the contributing guide', () => {
  it('has about ten lines', () => {
    expect(lengthOf(timeFile)).toBeLessThanOrEqual(10);
  });

  it('runs with its option and has a help page', async () => {
    const { time } = z.object({ time: z.custom<Command>() }).parse(await import(timeFile));
    const commands = [listed({ name: 'time', about: 'print the time', ...time })];
    const ports = testPorts();
    expect(await runCli(['time', '--json'], commands, ports)).toBe(0);
    expect(JSON.parse(ports.stdout.text())).toEqual({ seconds: expect.any(Number) });
    expect(await runCli(['time', '--help'], commands, ports)).toBe(0);
    expect(ports.stdout.text()).toContain('Usage: graphwarden time [options]');
  });
});

describe('policy condition of the contributing guide', () => {
  it('has about ten lines', () => {
    expect(lengthOf(instanceFile)).toBeLessThanOrEqual(12);
  });

  it('matches by its patterns', async () => {
    const schema = z.object({ instance: z.custom<PolicyCondition>() });
    const { instance } = schema.parse(await import(instanceFile));
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
