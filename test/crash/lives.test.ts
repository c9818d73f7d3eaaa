import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Daemons, played } from '../../crash/lives.ts';

/** What `play` gives that has a folder of its own, and whether all was left behind in order. */
async function playedIn<Result>(play: (folder: string) => Promise<Result>) {
  const seen = { folder: '', closed: 0 };
  const result = played((folder) => {
    seen.folder = folder;
    return {
      play: () => play(folder),
      async close() {
        seen.closed += 1;
      },
    };
  });
  return { result: await Promise.allSettled([result]), closed: seen.closed, isThere: existsSync(seen.folder) };
}

/** Daemons that are such a program, in a folder that is gone thereafter. */
async function withProgram(program: string, use: (daemons: Daemons) => Promise<void>, expected?: readonly string[]) {
  const { result } = await playedIn(async (folder) => {
    const entry = join(folder, 'daemon.mjs');
    await writeFile(entry, program);
    const daemons = new Daemons(entry, 'none.yml', expected);
    try {
      await use(daemons);
    } finally {
      await daemons.close();
    }
    return daemons.complaints.map(({ about }) => about);
  });
  return result;
}

const patient = 'setInterval(() => undefined, 1000);';
const complaining = `console.error('{"level":"error","msg":"odd"}'); console.error('{"level":"error","msg":"usual"}');`;

it('plays in a folder of its own, and closes what it played, however that went', async () => {
  const good = await playedIn(async (folder) => existsSync(folder));
  expect(good).toEqual({ result: [{ status: 'fulfilled', value: true }], closed: 1, isThere: false });
  const bad = await playedIn(() => Promise.reject(new Error('no luck')));
  expect(bad).toMatchObject({ result: [{ status: 'rejected' }], closed: 1, isThere: false });
});

it('complains of none that was killed or ended as it was asked to', async () => {
  const result = await withProgram(patient, async (daemons) => {
    const daemon = daemons.start();
    daemon.kill();
    await daemons.bury(daemon);
  });
  expect(result).toEqual([{ status: 'fulfilled', value: [] }]);
});

it('complains of one that ended by itself, and of what it said, but for what was expected', async () => {
  const program = `${complaining} process.exitCode = 3;`;
  const result = await withProgram(program, async (daemons) => daemons.bury(daemons.start()), ['usual']);
  expect(result).toMatchObject([
    { value: ['the daemon ended by itself with 3', expect.stringContaining('"msg":"odd"')] },
  ]);
});

it('complains of one that did not end well when it was asked to', async () => {
  const result = await withProgram(patient, async (daemons) => daemons.retire(daemons.start()));
  expect(result).toMatchObject([{ value: ['the daemon that was asked to end did so with a signal'] }]);
});
