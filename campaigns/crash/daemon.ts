import { type ChildProcess, spawn } from 'node:child_process';
import { z } from 'zod';
import { send } from '../../test/support/http.ts';
import { roomForNewObjects } from '../../test/support/program.ts';
import { instanceOf, type TimelineEntry } from './evidence.ts';

/** Daemon in a child process. */
export interface Daemon {
  /** Returns the URL of the API; undefined until the daemon has logged it. */
  url(): string | undefined;
  /** Kills the process with SIGKILL, like a crash. */
  kill(): void;
  /** Resolves with the exit code; undefined if a signal ended the process. */
  readonly ended: Promise<number | undefined>;
  /** Sends the signal to stop. */
  stop(): Promise<number | undefined>;
  /** Sends the signal to reload the configuration. */
  reload(): void;
  /** Returns the number of log lines that contain a text. */
  countLogged(text: string): number;
  /** Returns log lines about bugs and about the state. */
  unexpectedLogLines(): readonly string[];
}

/** Starts the program at `entry` with a configuration file. */
export function startDaemon(entry: string, file: string): Daemon {
  const args = [...roomForNewObjects, entry, 'run', '--config', file];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const ended = exitOf(child);
  return {
    url: () => /"url":"(http:[^"]+?)\/?"/.exec(output)?.[1],
    kill: () => void child.kill('SIGKILL'),
    reload: () => void child.kill('SIGHUP'),
    countLogged: (text) => output.split('\n').filter((line) => line.includes(text)).length,
    ended,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
    unexpectedLogLines: () => output.split('\n').filter((line) => isUnexpectedLogLine(line)),
  };
}

/** Returns true for errors, and for warnings about the state. Lines about failed receivers are expected. */
export function isUnexpectedLogLine(line: string): boolean {
  if (/which is a bug|unhandled/i.test(line)) return true;
  if (line.includes('"receiver"')) return false;
  return /"level":"(?:error|fatal)"/.test(line) || /"level":"warn".*(?:state|store|database)/.test(line);
}

function exitOf(child: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('close', (code) => resolve(code ?? undefined));
  });
}

const page = z.object({
  total: z.number(),
  items: z.array(
    z.object({
      at: z.iso.datetime(),
      service: z.string(),
      partition: z.string(),
      replica: z.string(),
      to: z.string(),
    }),
  ),
});

const pageLength = 1000;

/** Returns the whole timeline of a daemon, oldest first. */
export async function timelineOf(url: string): Promise<readonly TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  for (let offset = 0; ; offset += pageLength) {
    const { text } = await send(`${url}/api/v1/transitions?limit=${pageLength}&offset=${offset}`);
    const { items, total } = page.parse(JSON.parse(text));
    for (const { at, service, partition, replica, to } of items) {
      entries.push({ at: Date.parse(at), instance: instanceOf(service, partition, replica), to });
    }
    if (offset + pageLength >= total) return entries.toReversed();
  }
}
