import type { Command, Flag } from './command.ts';

const program = 'graphwarden';
const width = 120;
const help: Flag = { name: 'help', about: 'show this' };

/** The page behind `--help`. */
export function overview(commands: readonly Command[]): string {
  return [
    'Watches clusters of a graph database and exposes what it sees to Prometheus.',
    '',
    `Usage: ${program} [COMMAND] [OPTIONS]`,
    '',
    'Commands:',
    ...columns(commands.map(({ name, about }, position) => [name, position === 0 ? `${about} (the default)` : about])),
    '',
    'Options:',
    ...columns([
      ['--help', 'show this; after a command, its own help'],
      ['--version', 'show the version'],
    ]),
    '',
  ].join('\n');
}

/** The page behind `COMMAND --help`. */
export function commandHelp(command: Command): string {
  const details = command.details === undefined ? [] : [command.details, ''];
  return [
    `${capital(command.about)}.`,
    '',
    usageLine(command),
    '',
    ...details,
    'Options:',
    ...columns([...command.flags, help].map((flag) => [flagText(flag), flag.about])),
    '',
  ].join('\n');
}

/** What a wrong use is answered with: one or two lines. */
export function usageLine(command: Command): string {
  const line = usageWith(command, command.flags.map((flag) => ` [${flagText(flag)}]`).join(''));
  return line.length <= width ? line : usageWith(command, ' [OPTIONS]');
}

function usageWith({ name, argument }: Command, options: string): string {
  if (argument === undefined) return `Usage: ${program} ${name}${options}`;
  const place = argument.repeated === true ? `${argument.name}...` : argument.name;
  return `Usage: ${program} ${name}${options} ${argument.required ? place : `[${place}]`}`;
}

function flagText({ name, value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const widest = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(widest)}  ${right}`);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
