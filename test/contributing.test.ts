import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Collector } from '../src/collect/collector.ts';
import { ok } from '../src/kernel/result.ts';
import { fakeGraphDb } from './support/fake-graphdb.ts';

const root = process.cwd();
const guide = readFileSync('CONTRIBUTING.md', 'utf8');
const [, place = '', code = ''] = /```ts file=(\S+)\n([\s\S]*?)```/.exec(guide) ?? [];

/** The example, with its imports made independent of where it lies. It lies in the project, for its types. */
const folder = mkdtempSync(join(root, '.example-'));
const file = join(folder, 'echo.ts');
writeFileSync(
  file,
  code.replaceAll(/from '(\.\.?)\//g, (_, dots) => `from '${dots === '.' ? '../src/collect' : '../src'}/`),
);

describe('the collector of the contributing guide', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is about ten lines in one file of the wing', () => {
    expect(place).toBe('src/collect/echo.ts');
    expect(code.split('\n').filter((line) => /^ {2}\w/.test(line)).length).toBeLessThanOrEqual(10);
  });

  it('compiles', () => {
    const config = join(folder, 'tsconfig.json');
    writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), include: [file] }));
    expect(execFileSync('tsc', ['-p', config], { encoding: 'utf8' })).toBe('');
  });

  it('reads and shows', async () => {
    const module = z.object({ echo: z.custom<Collector>() }).parse(await import(file));
    const db = fakeGraphDb({ echo: ok(true) });
    const reading = await module.echo.read(db, new AbortController().signal);
    expect(reading).toEqual(ok(true));
    expect([...module.echo.samples(true, { wall: 0, mono: 0 })]).toMatchObject([{ labels: {}, value: 1 }]);
    db.finish();
  });
});
