import { CommanderError } from 'commander';
import { closestMatch } from '../config/name-suggestions.ts';
import { type CommandSummary, type ExitCode, exitCode, type ListedCommand, loadCommand } from './command.ts';
import { createProgram, parserExitCode } from './create-program.ts';
import type { CliPorts } from './ports.ts';

/** Runs the command that the arguments name and returns the exit code. The first command is the default. */
export async function runCli(
  args: readonly string[],
  commands: readonly ListedCommand[],
  ports: CliPorts,
): Promise<ExitCode> {
  const exit = await dispatch(args, commands, ports);
  const settled = await ports.stdout.flushed();
  if (settled.ok) return exit;
  // An incomplete file must not look like a complete one.
  ports.stderr.write(`graphwarden: cannot write to standard output: ${settled.error}\n`);
  return exit === exitCode.ok ? exitCode.failed : exit;
}

async function dispatch(
  args: readonly string[],
  commands: readonly ListedCommand[],
  ports: CliPorts,
): Promise<ExitCode> {
  let exit: ExitCode = exitCode.ok;
  const call = withDefaultCommand(args, commands);
  const known = await Promise.all(commands.map(async (one) => (isCalled(one, call) ? await loadCommand(one) : one)));
  const program = createProgram(known, call, ports, async (command, given) => {
    exit = await command.run(given, ports, commands);
  });
  try {
    if (call[0] === 'help') program.error(`error: ${unknownHelpTopic(call.slice(1), commands)}`);
    await program.parseAsync([...call], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return parserExitCode(error);
    throw error;
  }
  return exit;
}

function isCalled({ name }: CommandSummary, call: readonly string[]): boolean {
  return name.split(' ').every((word, index) => call[index] === word);
}

/** Arguments with the default command in front where none is named; `help COMMAND` becomes `COMMAND --help`. */
function withDefaultCommand(args: readonly string[], commands: readonly CommandSummary[]): readonly string[] {
  const [first = '', ...topic] = args;
  if (first === 'help') return isHelpTopic(topic, commands) ? [...topic, '--help'] : args;
  const isCommand = first !== '' && !first.startsWith('-');
  return isCommand || ['-h', '--help', '-V', '--version'].includes(first) ? args : [commands[0]?.name ?? '', ...args];
}

function isHelpTopic(words: readonly string[], commands: readonly CommandSummary[]): boolean {
  const topic = words.map((word) => `${word} `).join('');
  return commands.some(({ name }) => `${name} `.startsWith(topic));
}

function unknownHelpTopic(words: readonly string[], commands: readonly CommandSummary[]): string {
  const topic = words.join(' ');
  const near = closestMatch(
    topic,
    commands.map(({ name }) => name),
  );
  return `unknown command '${topic}'${near === undefined ? '' : `\n(Did you mean ${near}?)`}`;
}
