import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { checkAnswers } from './api-checker.ts';
import { eventually } from './child.ts';
import { send } from './http.ts';
import { temporaryFolder } from './live-ports.ts';
import { startProgram } from './program.ts';

/** A daemon in a process of its own, as its users start it. */
export interface Daemon {
  readonly url: string;
  readonly pid: number;
  /** Puts another configuration in place, asks for a reload and gives the status of the answer. */
  reload(text: string): Promise<number>;
}

/** Starts one whose first round is over; when the test ends it must end cleanly too, and have reported no bug. */
export async function startDaemon(text: string): Promise<Daemon> {
  const folder = await temporaryFolder();
  const file = join(folder, 'graphwarden.yml');
  await writeFile(file, text);
  const child = startProgram(['run', '--config', file], { cwd: folder });
  onTestFinished(async () => {
    expect(await child.stop()).toBe(0);
    expect(child.stderr()).not.toMatch(/"level":60|which is a bug|unhandled/i);
  });
  const reported = (): string | undefined => /"url":"(http:[^"]+?)\/?"/.exec(child.stderr())?.[1];
  const url = await eventually('the daemon logs its address', () => Promise.resolve(reported()));
  checkAnswers(url);
  await eventually('the first round is over', async () => (await send(`${url}/-/ready`)).status === 200);
  return {
    url,
    pid: child.pid,
    reload: async (next) => {
      await writeFile(`${file}.new`, next);
      await rename(`${file}.new`, file);
      return (await send(`${url}/-/reload`, { method: 'POST' })).status;
    },
  };
}
