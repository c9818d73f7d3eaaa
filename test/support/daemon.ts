import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { checkAnswers } from './api-checker.ts';
import { eventually } from './child.ts';
import { send } from './http.ts';
import { type AtEnd, temporaryFolder } from './live-ports.ts';
import { type ProgramOptions, startProgram } from './program.ts';

/** Daemon in a separate process, as users start it. */
export interface Daemon {
  readonly url: string;
  readonly pid: number;
  stdout(): string;
  /** Working directory of the daemon, which contains its state directory. */
  readonly folder: string;
  /** Replaces the configuration, requests a reload and returns the status of the response. */
  reload(text: string): Promise<number>;
}

/**
 * Starts a daemon and waits for its first polls. At the end, which is by default the end of the test, the daemon is stopped:
 * the test fails if it does not stop cleanly or has logged a bug.
 */
export async function startDaemon(
  text: string,
  atEnd: AtEnd = onTestFinished,
  options: ProgramOptions = {},
): Promise<Daemon> {
  const folder = await temporaryFolder(atEnd);
  const file = join(folder, 'graphwarden.yml');
  await writeFile(file, text);
  const child = startProgram(['run', '--config', file], { cwd: folder, ...options });
  atEnd(async () => {
    expect(await child.stop()).toBe(0);
    expect(child.stderr()).not.toMatch(/"level":60|which is a bug|unhandled/i);
  });
  const reported = (): string | undefined => /"url":"(http:[^"]+?)\/?"/.exec(child.stderr())?.[1];
  const ended = child.ended.then((code) => expect.fail(`the daemon ended with ${code}: ${child.stderr()}`));
  ended.catch(() => undefined);
  const url = await Promise.race([eventually('the daemon logs its address', async () => reported()), ended]);
  checkAnswers(url);
  await eventually('the first round is over', async () => (await send(`${url}/-/ready`)).status === 200);
  return {
    url,
    pid: child.pid,
    stdout: () => child.stdout(),
    folder,
    reload: async (next) => {
      await writeFile(`${file}.new`, next);
      await rename(`${file}.new`, file);
      const socketPath = join(folder, 'state', 'control.sock');
      return (await send('http://localhost/-/reload', { method: 'POST', socketPath })).status;
    },
  };
}
