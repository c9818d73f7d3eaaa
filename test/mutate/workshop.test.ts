import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { mutantsOf } from '../../mutate/mutants.ts';
import { openWorkshop } from '../../mutate/workshop.ts';

it('has the compiler find a slip in a copy, and leaves nothing behind', { timeout: 180_000 }, async () => {
  const workshop = await openWorkshop();
  onTestFinished(() => workshop.close());
  const file = 'src/guard/victims.ts';
  const before = await readFile(file, 'utf8');
  const slip = mutantsOf(file, before).find(({ by }) => by === 'return undefined;');
  const compiled = () => workshop.run(['typescript/bin/tsc', '-p', 'tsconfig.guard.json'], 60_000);
  const during = await workshop.hold(slip === undefined ? [] : [slip], compiled);
  expect(during).toMatchObject({ isWell: false, isLate: false });
  expect(during.text).toContain(file);
  expect(await readFile(file, 'utf8')).toBe(before);
  expect(await compiled()).toMatchObject({ isWell: true, text: '' });
  expect(await workshop.run(['typescript/bin/tsc', '-p', 'tsconfig.guard.json'], 1)).toMatchObject({ isLate: true });
});

it('is gone once it is closed', async () => {
  const workshop = await openWorkshop();
  await workshop.close();
  const { isWell } = await workshop.run(['typescript/bin/tsc', '--version'], 60_000);
  expect([isWell, existsSync('tsconfig.guard.json')]).toEqual([false, false]);
});
