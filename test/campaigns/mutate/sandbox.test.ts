import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { mutantsOf } from '../../../campaigns/mutate/mutants.ts';
import { openSandbox } from '../../../campaigns/mutate/sandbox.ts';

it('mutation sandbox › compiles a mutant in a copy, removes the mutation afterwards, and the copy on close', async () => {
  const sandbox = await openSandbox();
  onTestFinished(() => sandbox.close());
  const compiler = ['typescript/bin/tsc', '-p', 'tsconfig.guard.json'];
  const file = 'src/guard/decision/victim-selection.ts';
  const before = await readFile(file, 'utf8');
  const slip = mutantsOf(file, before).find(({ by }) => by === 'return undefined;');
  const compiled = () => sandbox.run(compiler, 60_000);
  const during = await sandbox.writeFile(slip === undefined ? [] : [slip], compiled);
  expect(during).toMatchObject({ isSuccess: false, isTimedOut: false });
  expect(during.text).toContain(file);
  expect(await readFile(file, 'utf8')).toBe(before);
  expect(await compiled()).toMatchObject({ isSuccess: true, text: '' });
  expect(await sandbox.run(compiler, 1)).toMatchObject({ isTimedOut: true });
  await sandbox.close();
  const { isSuccess } = await sandbox.run(['typescript/bin/tsc', '--version'], 60_000);
  expect([isSuccess, existsSync('tsconfig.guard.json')]).toEqual([false, false]);
});
