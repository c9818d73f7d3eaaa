import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DaemonRuns, runInFolder } from '../../../campaigns/crash/daemon-runs.ts';

/** Runs a scenario in a folder, and returns its result and whether the folder was removed. */
async function runIn<Result>(run: (folder: string) => Promise<Result>) {
  const seen = { folder: '', closed: 0 };
  const result = runInFolder((folder) => {
    seen.folder = folder;
    return {
      run: () => run(folder),
      async close() {
        seen.closed += 1;
      },
    };
  });
  return { result: await Promise.allSettled([result]), closed: seen.closed, isThere: existsSync(seen.folder) };
}

/** Returns daemons that run the given program, in a temporary folder. */
async function withProgram(program: string, use: (daemons: DaemonRuns) => Promise<void>, expected?: readonly string[]) {
  const { result } = await runIn(async (folder) => {
    const entry = join(folder, 'daemon.mjs');
    await writeFile(entry, program);
    const daemons = new DaemonRuns(entry, 'none.yml', expected);
    try {
      await use(daemons);
    } finally {
      await daemons.close();
    }
    return daemons.problems.map(({ about }) => about);
  });
  return result;
}

const patient = 'setInterval(() => undefined, 1000);';
const complaining = `console.error('{"level":"error","msg":"odd"}'); console.error('{"level":"error","msg":"usual"}');`;

it('runs in a temporary folder and closes the scenario, also after an error', async () => {
  const good = await runIn(async (folder) => existsSync(folder));
  expect(good).toEqual({ result: [{ status: 'fulfilled', value: true }], closed: 1, isThere: false });
  const bad = await runIn(() => Promise.reject(new Error('no luck')));
  expect(bad).toMatchObject({ result: [{ status: 'rejected' }], closed: 1, isThere: false });
});

it('daemon runs › reports no daemon that was killed or stopped cleanly', async () => {
  const result = await withProgram(patient, async (daemons) => {
    const daemon = daemons.start();
    daemon.kill();
    await daemons.expectKill(daemon);
  });
  expect(result).toEqual([{ status: 'fulfilled', value: [] }]);
});

it('daemon runs › reports a daemon that ended without a signal, and its unexpected log lines', async () => {
  const program = `${complaining} process.exitCode = 3;`;
  const result = await withProgram(program, async (daemons) => daemons.expectKill(daemons.start()), ['usual']);
  expect(result).toMatchObject([
    { value: ['the daemon ended by itself with 3', expect.stringContaining('"msg":"odd"')] },
  ]);
});

it('daemon runs › reports a daemon that did not stop cleanly', async () => {
  const result = await withProgram(patient, async (daemons) => daemons.stopCleanly(daemons.start()));
  expect(result).toMatchObject([{ value: ['the daemon that was asked to end did so with a signal'] }]);
});
