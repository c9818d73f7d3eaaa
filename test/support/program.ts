import { checkAnswers } from './api-checker.ts';
import { program } from './build-program.ts';
import { type Child, eventually, startChild } from './child.ts';

/**
 * Options of Node for the size of V8's space for new objects. The program keeps it small to save memory; the frequent garbage
 * collections cost a process of some seconds a seventh of its CPU time.
 */
export const roomForNewObjects: readonly string[] = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/** How a process of the program is limited and observed. */
export interface ProgramOptions {
  /** Whether the test measures memory; then the process has the memory settings of users. */
  readonly measuresMemory?: boolean | undefined;
  /** File to which the process ids of a control group are written. */
  readonly group?: string | undefined;
  /** Module that is loaded before the program. */
  readonly preload?: string | undefined;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts the program in a separate process. */
export function startProgram(
  args: readonly string[],
  options: ProgramOptions & { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Child {
  const { group, measuresMemory = false, preload, ...others } = options;
  const nodeOptions = [
    ...(measuresMemory ? [] : roomForNewObjects),
    ...(preload === undefined ? [] : ['--import', preload]),
  ];
  const command = [process.execPath, ...nodeOptions, program, ...args];
  if (group !== undefined) return startChild('sh', ['-c', 'echo $$ > "$0" && exec "$@"', group, ...command], others);
  return startChild(process.execPath, command.slice(1), others);
}

/** Starts the demo on a free port and waits until it prints its address. */
export async function startDemo(...args: readonly string[]): Promise<{ readonly url: string; readonly child: Child }> {
  const child = startProgram(['demo', '--listen', '127.0.0.1:0', ...args]);
  const url = await eventually('the demo prints its address', () =>
    Promise.resolve(/(http:\/\/127\.0\.0\.1:\d+)\/metrics/.exec(child.stdout())?.[1]),
  ).catch((error: unknown) => {
    throw new Error(`the demo said ${child.stderr()}`, { cause: error });
  });
  checkAnswers(url);
  return { url, child };
}
