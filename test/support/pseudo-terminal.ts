import { stripVTControlCharacters } from 'node:util';
import { program } from './build-program.ts';
import { type Child, startChild } from './child.ts';

/** Starts the program in a pseudo-terminal of 80 columns. `variables` are assignments for the environment. */
export function startInTerminal(args: readonly string[], variables: readonly string[] = []): Child {
  const words = [
    'env',
    '-u',
    'CI',
    '-u',
    'NO_COLOR',
    '-u',
    'FORCE_COLOR',
    'TERM=xterm-256color',
    ...variables,
    process.execPath,
    program,
    ...args,
  ];
  const command = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  return startChild('script', ['-qefc', `stty cols 80 rows 24; exec ${command}`, '/dev/null']);
}

/** Returns the lines that a terminal shows, without escape sequences. */
export function visibleLines(output: string): readonly string[] {
  return stripVTControlCharacters(output).replaceAll('\r', '').split('\n');
}
