import { type Command, type ExitCode, exitCode, WrongUse } from './command.ts';
import { type Misuse, parse } from './parse.ts';
import type { CliPorts } from './ports.ts';
import { commandHelp, overview, usageLine } from './usage.ts';

/** Runs what the arguments ask for and gives the exit code. */
export async function cli(args: readonly string[], commands: readonly Command[], ports: CliPorts): Promise<ExitCode> {
  const exit = await carriedOut(args, commands, ports);
  const settled = await ports.stdout.settled();
  if (settled.ok) return exit;
  // Half an answer in a file must not look like a whole one.
  ports.stderr.write(`graphwarden: the answer could not be written: ${settled.error}\n`);
  return exit === exitCode.ok ? exitCode.failed : exit;
}

async function carriedOut(args: readonly string[], commands: readonly Command[], ports: CliPorts): Promise<ExitCode> {
  const request = parse(args, commands);
  if (!request.ok) return refuse(request.error, ports);
  const asked = request.value;
  if (asked.ask === 'run') return run(asked.command, asked.given, ports);
  if (asked.ask === 'help') return answer(commandHelp(asked.command), ports);
  if (asked.ask === 'overview') return answer(overview(commands), ports);
  return answer(`graphwarden ${ports.build.version} (commit ${ports.build.commit})\n`, ports);
}

async function run(command: Command, given: Parameters<Command['run']>[0], ports: CliPorts): Promise<ExitCode> {
  try {
    return await command.run(given, ports);
  } catch (error) {
    if (error instanceof WrongUse) return refuse({ command, message: error.message }, ports);
    throw error;
  }
}

function answer(text: string, { stdout }: CliPorts): ExitCode {
  stdout.write(text);
  return exitCode.ok;
}

function refuse({ message, command }: Misuse, { stderr }: CliPorts): ExitCode {
  const usage = command === undefined ? 'Usage: graphwarden [COMMAND] [OPTIONS]' : usageLine(command);
  const page = command === undefined ? 'graphwarden --help' : `graphwarden ${command.name} --help`;
  stderr.write(`graphwarden: ${message}\n${usage}\nMore: ${page}\n`);
  return exitCode.usage;
}
