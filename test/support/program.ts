import { checkAnswers } from './api-checker.ts';
import { program } from './build-program.ts';
import { type Child, eventually, startChild } from './child.ts';

/** Starts the program in a process of its own; `group` is the file that takes the processes of a control group. */
export function startProgram(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly group?: string | undefined } = {},
): Child {
  const { group, ...others } = options;
  const command = [process.execPath, program, ...args];
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
