import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './child.ts';
import { temporaryFolder } from './live-ports.ts';

/** System call that has returned. */
export interface SystemCall {
  readonly name: string;
  /** Arguments, with the file or the connection of each descriptor. */
  readonly text: string;
  readonly result: string;
  /** Lines of the trace at which it began and returned. */
  readonly began: number;
  readonly returned: number;
}

/** Tracer of a program. */
export interface Tracer {
  /** Command before the program and its arguments. */
  readonly around: readonly string[];
  /** Returns all calls that write, after the program has exited with code 0. */
  calls(): Promise<readonly SystemCall[]>;
}

const traced = ['fsync', 'fdatasync', 'pwrite64', 'write', 'writev', 'sendto', 'sendmsg'];

/** Creates a tracer of the writes of a program. strace runs as a grandchild (-D), so that the child is the program itself. */
export async function tracer(): Promise<Tracer> {
  const file = join(await temporaryFolder(), 'trace');
  return {
    around: ['strace', '-D', '-f', '-yy', '-s', '8192', '-o', file, '-e', traced.join(',')],
    calls: () =>
      eventually('the trace is whole', async () => {
        const text = await readFile(file, 'utf8');
        return text.trimEnd().endsWith('+++ exited with 0 +++') ? callsOf(text) : undefined;
      }),
  };
}

/** Parses a trace of several threads. Returns the calls in the order in which they returned. */
export function callsOf(trace: string): readonly SystemCall[] {
  const open = new Map<string, { readonly text: string; readonly began: number }>();
  return trace.split('\n').flatMap((line, returned) => {
    const [, thread = '', said = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const begun = /^(.*) <unfinished \.\.\.>$/.exec(said)?.[1];
    if (begun !== undefined) {
      open.set(thread, { text: begun, began: returned });
      return [];
    }
    const rest = /^<\.\.\. \w+ resumed>(.*)$/.exec(said)?.[1];
    const first = rest === undefined ? undefined : open.get(thread);
    const [, name, text, result] = /^(\w+)\((.*)\) += (-?\w+)/.exec(`${first?.text ?? ''}${rest ?? said}`) ?? [];
    if (name === undefined || text === undefined || result === undefined) return [];
    return [{ name, text, result, began: first?.began ?? returned, returned }];
  });
}

/** Whether a call concerns the write-ahead log of SQLite. */
export function isLog({ text }: SystemCall): boolean {
  return /^\d+<[^>]*-wal>/.test(text);
}

/** Whether a call flushed the write-ahead log to the disk. */
export function isSync(call: SystemCall): boolean {
  return isLog(call) && /^f(?:data)?sync$/.test(call.name) && call.result === '0';
}
