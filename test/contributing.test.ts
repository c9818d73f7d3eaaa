import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runCli } from '../src/cli/cli.ts';
import type { Command } from '../src/cli/command.ts';
import type { Collector } from '../src/collect/collector.ts';
import type { PolicyCondition } from '../src/guard/conditions/condition.ts';
import { ok } from '../src/kernel/result.ts';
import type { Receiver } from '../src/notify/receiver.ts';
import { receiverSuite } from './conformance/receiver-suite.ts';
import { candidate, globs } from './guard/match-inputs.ts';
import { testPorts } from './support/cli-ports.ts';
import { fakeGraphDb } from './support/fake-graphdb.ts';
import { listed } from './support/loaded-commands.ts';

const root = process.cwd();
const guide = readFileSync('CONTRIBUTING.md', 'utf8');

/** Folder of the examples; it is in the project because they use its types. */
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(root, '.example-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the code block of the guide for the file at `path` to the folder, with imports that work from there. */
function writeExample(path: string, into = folder): string {
  const blocks = [...guide.matchAll(/```ts file=(\S+)\n([\s\S]*?)```/g)];
  const code = blocks.find(([, place]) => place === path)?.[2] ?? expect.fail(`no example for ${path}`);
  const file = join(into, basename(path));
  const source = code.replaceAll(/from '(\.\.?\/[^']*)'/g, (_, target: string) => {
    return `from '../${join(dirname(path), target)}'`;
  });
  writeFileSync(file, source);
  return file;
}

function compile(file: string, from = folder): string {
  const config = join(from, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), include: [file] }));
  return execFileSync('tsc', ['-p', config], { encoding: 'utf8' });
}

function lengthOf(file: string): number {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^ {2}\w/.test(line)).length;
}

describe('collector of the contributing guide', () => {
  it('has about ten lines and compiles', () => {
    const file = writeExample('src/collect/echo.ts');
    expect(lengthOf(file)).toBeLessThanOrEqual(10);
    expect(compile(file)).toBe('');
  });

  it('polls and returns samples', async () => {
    const file = writeExample('src/collect/echo.ts');
    const { echo } = z.object({ echo: z.custom<Collector>() }).parse(await import(file));
    const db = fakeGraphDb({ echo: ok(true) });
    expect(await echo.poll(db, new AbortController().signal)).toEqual(ok(true));
    expect([...echo.samples(true, { wall: 0, mono: 0 })]).toMatchObject([{ labels: {}, value: 1 }]);
    db.finish();
  });
});

describe('command of the contributing guide', () => {
  const path = 'src/cli/commands/time.ts';

  it('has about ten lines and compiles', () => {
    const file = writeExample(path);
    expect(lengthOf(file)).toBeLessThanOrEqual(10);
    expect(compile(file)).toBe('');
  });

  it('runs with its option and has a help page', async () => {
    const { time } = z.object({ time: z.custom<Command>() }).parse(await import(writeExample(path)));
    const commands = [listed({ name: 'time', about: 'print the time', ...time })];
    const ports = testPorts();
    expect(await runCli(['time', '--json'], commands, ports)).toBe(0);
    expect(JSON.parse(ports.stdout.text())).toEqual({ seconds: expect.any(Number) });
    expect(await runCli(['time', '--help'], commands, ports)).toBe(0);
    expect(ports.stdout.text()).toContain('Usage: graphwarden time [options]');
  });
});

describe('policy condition of the contributing guide', () => {
  const path = 'src/guard/conditions/instance.ts';

  it('has about ten lines and compiles', () => {
    const file = writeExample(path);
    expect(lengthOf(file)).toBeLessThanOrEqual(12);
    expect(compile(file)).toBe('');
  });

  it('matches by its patterns', async () => {
    const schema = z.object({ instance: z.custom<PolicyCondition>() });
    const { instance } = schema.parse(await import(writeExample(path)));
    expect(instance.field.parse('RESTPP_1_*')).toEqual(globs('RESTPP_1_*'));
    expect(instance.test?.(globs('RESTPP_1_*'))(candidate())).toBe(true);
    expect(instance.test?.(globs('RESTPP_2_*'))(candidate())).toBe(false);
    expect(instance.phrases(globs('RESTPP_1_1'))).toEqual(['run on the instance RESTPP_1_1']);
  });
});

describe('receiver of the contributing guide', async () => {
  const example = mkdtempSync(join(root, '.example-'));
  afterAll(() => rmSync(example, { recursive: true }));
  const file = writeExample('src/notify/receivers/xyz.ts', example);

  it('compiles', () => {
    expect(compile(file, example)).toBe('');
  });

  const { xyz } = z.object({ xyz: z.custom<Receiver>() }).parse(await import(file));
  receiverSuite(xyz);
});
