import { checkAnswers } from './api-checker.ts';
import { program } from './build-program.ts';
import { type Child, eventually, startChild } from './child.ts';

/** Starts the program in a process of its own. */
export function startProgram(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Child {
  return startChild(process.execPath, [program, ...args], options);
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
