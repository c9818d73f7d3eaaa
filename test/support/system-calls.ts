import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './child.ts';
import { temporaryFolder } from './live-ports.ts';

/** One call of the system, once it returned. */
export interface SystemCall {
  readonly name: string;
  /** The arguments, with the file or the connection behind each descriptor. */
  readonly text: string;
  readonly result: string;
  /** The lines of the trace on which it began and returned. */
  readonly began: number;
  readonly returned: number;
}

/** A tracer to run a program behind, and what it saw. */
export interface Tracer {
  /** Command before the program and its arguments. */
  readonly around: readonly string[];
  /** All calls that write, once the program has ended well. */
  calls(): Promise<readonly SystemCall[]>;
}

const traced = ['fsync', 'fdatasync', 'pwrite64', 'write', 'writev', 'sendto', 'sendmsg'];

/** Traces what a program writes; it stands beside that (-D), so that the child is the program itself. */
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

/** Reads what strace wrote of many threads, in the order in which the calls returned. */
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

/** Whether a call is about the log that SQLite writes ahead. */
export function isLog({ text }: SystemCall): boolean {
  return /^\d+<[^>]*-wal>/.test(text);
}

/** Whether a call brought that log to the disk. */
export function isSync(call: SystemCall): boolean {
  return isLog(call) && /^f(?:data)?sync$/.test(call.name) && call.result === '0';
}
