import { type Flag, loadCommand, type NamedCommand } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands/all.ts';
import { type GeneratedFile, generatedNotice, table } from './generated-file.ts';

const loaded = await Promise.all(commands.map(loadCommand));

/** Reference of all commands. */
export function commandsReference(): GeneratedFile {
  const text = [
    '# Commands',
    '',
    generatedNotice,
    '',
    'Results go to standard output, logs and errors to standard error. Exit codes: 0 success, 1 failure, 2 usage error or invalid',
    'configuration. Without a command, graphwarden runs `run`. `graphwarden help COMMAND` prints the options of a command, and',
    '`graphwarden completion bash|zsh|fish` prints a completion script.',
    '',
    table(
      ['command', 'purpose'],
      commands.map(({ name, about }) => [`[\`${name}\`](#${name.replaceAll(' ', '-')})`, about]),
    ),
    '',
    ...loaded.flatMap(commandSection),
  ].join('\n');
  return { path: 'docs/commands.md', text };
}

function commandSection(command: NamedCommand): readonly string[] {
  const { name, about, details, flags, examples } = command;
  return [
    `## ${name}`,
    '',
    `${about.slice(0, 1).toUpperCase()}${about.slice(1)}.`,
    '',
    '```sh',
    usage(command),
    '```',
    '',
    ...(details === undefined ? [] : detailLines(details)),
    ...(flags.length === 0 ? [] : [table(['option', 'description'], flags.map(optionRow)), '']),
    ...(examples.length < 2 ? [] : ['```sh', ...examples.map((example) => `graphwarden ${example}`), '```', '']),
  ];
}

function usage({ name, flags, arguments: names = [] }: NamedCommand): string {
  const line = ['graphwarden', name, ...(flags.length === 0 ? [] : ['[OPTIONS]']), ...names];
  return line.join(' ').replaceAll(/<([^<>]+)>/g, '$1');
}

/** Details as text, or as a block of code if they are aligned with blanks. */
function detailLines(details: string): readonly string[] {
  const isAligned = / {2}\S/.test(details);
  return isAligned ? ['```text', details, '```', ''] : [details, ''];
}

function optionRow({ name, value, about, values }: Flag): readonly string[] {
  const choices = values === undefined ? '' : `; one of ${values.map((choice) => `\`${choice}\``).join(', ')}`;
  return [`\`--${name}${value === undefined ? '' : ` ${value}`}\``, `${about}${choices}`];
}
