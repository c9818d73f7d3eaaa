import { parseArgs } from 'node:util';
import { nearest } from '../config/suggest.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Command, Given } from './command.ts';

/** What the arguments of the process ask for. */
export type Request =
  | { readonly ask: 'overview' | 'version' }
  | { readonly ask: 'help'; readonly command: Command }
  | { readonly ask: 'run'; readonly command: Command; readonly given: Given };

/** A use that no command foresees, with the command whose usage helps. */
export interface Misuse {
  readonly message: string;
  readonly command?: Command;
}

/** Reads arguments against the table of commands; the first command is the default one. */
export function parse(args: readonly string[], commands: readonly Command[]): Result<Request, Misuse> {
  const [first = ''] = args;
  if (first === '--help' || first === '-h' || first === 'help') return ok({ ask: 'overview' });
  if (first === '--version' || first === '-V') return ok({ ask: 'version' });
  const named = first !== '' && !first.startsWith('-');
  const command = named ? commandOf(args, commands) : commands[0];
  if (command === undefined) {
    return asksForGroup(args, commands) ? ok({ ask: 'overview' }) : err({ message: unknownCommand(args, commands) });
  }
  return parseCommand(command, named ? args.slice(command.name.split(' ').length) : args);
}

/** `silence --help`: the first word of several commands. */
function asksForGroup([first = '', second = '']: readonly string[], commands: readonly Command[]): boolean {
  return ['--help', '-h', 'help'].includes(second) && commands.some(({ name }) => name.startsWith(`${first} `));
}

/** The name of a command may be two words. */
function commandOf(args: readonly string[], commands: readonly Command[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, at) => word === args[at]));
}

function unknownCommand([first = '', second = '']: readonly string[], commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name);
  const group = names.filter((name) => name.startsWith(`${first} `));
  if (group.length === 0) return `there is no command '${first}'${didYouMean(first, names)}`;
  const asked = second.startsWith('-') ? first : `${first} ${second}`.trim();
  const near = nearest(asked, group);
  return `there is no command '${asked}': ${near === undefined ? `say ${group.join(', ')}` : `did you mean '${near}'?`}`;
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];

function parseCommand(command: Command, args: readonly string[]): Result<Request, Misuse> {
  const flags: Record<string, string> = {};
  const positional: string[] = [];
  for (const token of tokens(command, args)) {
    if (token.kind === 'positional') positional.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.name === 'help' || token.name === 'h') return ok({ ask: 'help', command });
    const trouble = misusedFlag(command, token);
    if (trouble !== undefined) return err({ command, message: trouble });
    flags[token.name] = token.value ?? '';
  }
  const trouble = misplaced(command, positional);
  if (trouble !== undefined) return err({ command, message: trouble });
  return ok({ ask: 'run', command, given: { flags, arguments: positional } });
}

function tokens({ flags }: Command, args: readonly string[]): readonly Token[] {
  const options = Object.fromEntries(
    flags.map(({ name, value }) => [name, { type: value === undefined ? ('boolean' as const) : ('string' as const) }]),
  );
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

function misusedFlag({ flags }: Command, token: Token & { kind: 'option' }): string | undefined {
  const flag = flags.find(({ name }) => name === token.name);
  if (flag === undefined) {
    const names = flags.map(({ name }) => `--${name}`);
    return `unknown option '${token.rawName}'${didYouMean(token.rawName, names)}`;
  }
  if (flag.value === undefined) return token.value === undefined ? undefined : `--${flag.name} takes no value`;
  if (token.value === undefined || token.value === '')
    return `--${flag.name} wants a value: --${flag.name} ${flag.value}`;
  // `--config --help` is a forgotten value; whoever means it writes `--config=--help`.
  return !token.inlineValue && token.value.startsWith('-')
    ? `--${flag.name} wants a value: --${flag.name} ${flag.value}`
    : undefined;
}

function misplaced({ argument }: Command, positional: readonly string[]): string | undefined {
  const names = argument?.name.split(' ') ?? [];
  const surplus = argument?.repeated === true ? undefined : positional[names.length];
  if (surplus !== undefined) return `unexpected argument '${surplus}'`;
  const missing = names[positional.length];
  return argument?.required === true && missing !== undefined ? `${missing} is missing` : undefined;
}

function didYouMean(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  return near === undefined ? '' : `: did you mean '${near}'?`;
}
