import { type Flag, loadCommand, type NamedCommand } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands/all.ts';

/** Returns the manual page `graphwarden(1)` from the declarations of the commands. */
export async function manPage(version: string): Promise<string> {
  const loaded = await Promise.all(commands.map(loadCommand));
  return `${[...introduction(version), ...loaded.flatMap(commandLines), ...conclusion].join('\n')}\n`;
}

function introduction(version: string): readonly string[] {
  return [
    `.TH GRAPHWARDEN 1 "" "graphwarden ${version}" "User Commands"`,
    '.SH NAME',
    'graphwarden \\- monitors clusters of a graph database',
    '.SH SYNOPSIS',
    '.B graphwarden',
    '.RI [ COMMAND "] [" OPTIONS ]',
    '.SH DESCRIPTION',
    'Exports Prometheus metrics, records every status change of a service, notifies receivers of alerts, and aborts runaway',
    'queries if a policy says so. Without a command, graphwarden runs',
    '.BR run .',
    'Results go to standard output, logs and errors to standard error.',
    '.SH COMMANDS',
  ];
}

const conclusion = [
  '.SH EXIT STATUS',
  ...definition('0', 'success'),
  ...definition('1', 'failure'),
  ...definition('2', 'usage error or invalid configuration'),
  '.SH FILES',
  ...definition('/etc/graphwarden/graphwarden.yml', 'configuration of the service'),
  ...definition('/var/lib/graphwarden/state', 'state of the service'),
  '.SH SEE ALSO',
  'The commented example and the JSON Schema of the configuration, dashboards and rules are in',
  '.IR /usr/share/graphwarden .',
];

function commandLines(command: NamedCommand): readonly string[] {
  const { name, about, details, flags, examples } = command;
  return [
    `.SS ${roff(name)}`,
    `.B ${roff(usage(command))}`,
    '.PP',
    `${roff(about.slice(0, 1).toUpperCase() + about.slice(1))}.`,
    ...(details === undefined ? [] : ['.PP', '.nf', ...details.split('\n').map(roff), '.fi']),
    ...flags.flatMap(flagLines),
    ...(examples.length === 0 ? [] : ['.PP', 'Examples:', '.PP', '.nf']),
    ...examples.map((example) => `    graphwarden ${roff(example)}`),
    ...(examples.length === 0 ? [] : ['.fi']),
  ];
}

function usage({ name, flags, arguments: names = [] }: NamedCommand): string {
  return ['graphwarden', name, ...(flags.length === 0 ? [] : ['[OPTIONS]']), ...names].join(' ');
}

function flagLines({ name, value, about, values }: Flag): readonly string[] {
  const choices = values === undefined ? '' : `; one of ${values.join(', ')}`;
  return definition(`--${name}${value === undefined ? '' : ` ${value}`}`, `${about}${choices}`);
}

function definition(term: string, text: string): readonly string[] {
  return ['.TP', `.B ${roff(term)}`, roff(text)];
}

/** Escapes a line of text. Words in backticks are bold. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/`([^`]+)`/g, '\\fB$1\\fR')
    .replace(/^(?=[.'])/, '\\&');
}
