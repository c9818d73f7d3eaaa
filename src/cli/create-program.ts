import { type CommanderError, Help, InvalidArgumentError, Option, Command as Program } from 'commander';
import { printableLines } from '../kernel/visible-text.ts';
import {
  type CommandInput,
  type CommandSummary,
  type ExitCode,
  exitCode,
  type Flag,
  type NamedCommand,
  UsageError,
} from './command.ts';
import type { CliPorts } from './ports.ts';
import { wrapHelp } from './wrap-help.ts';

const programName = 'graphwarden';

/** Runs a command with its checked input. */
export type RunCommand = (command: NamedCommand, given: CommandInput) => Promise<void>;

/**
 * Builds the command-line parser. `args` is the call that it will parse. Only loaded commands have options and can be
 * run; of the others, the help page of the program shows the summary.
 */
export function createProgram(
  commands: readonly (CommandSummary | NamedCommand)[],
  args: readonly string[],
  ports: Pick<CliPorts, 'stdout' | 'stderr' | 'build'>,
  run: RunCommand,
): Program {
  const { stdout, stderr, build } = ports;
  const program = new Program(programName)
    .description('Monitors clusters of a graph database: metrics, service history, alerts and a query guard.')
    .version(`${programName} ${build.version} (commit ${build.commit})`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(printableLines(text)),
      outputError: (text, write) => write(text.replace(/^error:/, `${programName}:`)),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      getOutHasColors: () => stdout.hasColors === true,
      getErrHasColors: () => stderr.hasColors === true,
    })
    .configureHelp({ formatHelp, boxWrap: wrapHelp })
    .showHelpAfterError(`Run '${programName} --help' for the list of commands.`)
    .addHelpText(
      'after',
      wrapHelp(
        `\nWithout a command, ${programName} runs 'run'. '${programName} help COMMAND' prints the options of a command.`,
        stdout.columns ?? 100,
      ),
    );
  for (const command of commands) addCommand(program, command, { args, run });
  return program;
}

/** Exit code for an exception of the parser, which has printed its message. */
export function parserExitCode({ code }: CommanderError): ExitCode {
  const isAnswer = code === 'commander.helpDisplayed' || code === 'commander.version';
  return isAnswer ? exitCode.ok : exitCode.usage;
}

/** Help page of a command; that of the program lists the commands of all groups. */
function formatHelp(command: Program, helper: Help): string {
  if (command.parent !== null) return Help.prototype.formatHelp.call(helper, command, helper);
  const flat = new Help();
  flat.helpWidth = helper.helpWidth ?? 100;
  flat.boxWrap = wrapHelp;
  flat.visibleCommands = (shown) => leaves(shown);
  flat.subcommandTerm = (shown) => fullName(shown);
  return Help.prototype.formatHelp.call(flat, command, flat);
}

function leaves(command: Program): Program[] {
  return command.commands.flatMap((child) => (child.commands.length === 0 ? [child] : leaves(child)));
}

function fullName(command: Program): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${fullName(parent)} ${command.name()}`;
}

interface ParserContext {
  readonly args: readonly string[];
  readonly run: RunCommand;
}

function addCommand(program: Program, command: CommandSummary | NamedCommand, context: ParserContext): void {
  const words = command.name.split(' ');
  const name = words.pop() ?? '';
  const added = words.reduce(childGroup, program).command(name).summary(command.about);
  if ('run' in command) declareCommand(added, command, context);
}

function declareCommand(added: Program, command: NamedCommand, { args, run }: ParserContext): void {
  added
    .description(`${capitalize(command.about)}.${command.details === undefined ? '' : `\n\n${command.details}`}`)
    .showHelpAfterError(
      `Example: ${programName} ${command.examples[0]}\nRun '${programName} ${command.name} --help' for usage.`,
    )
    .addHelpText('after', formatExamples(command));
  for (const argument of command.arguments ?? []) added.argument(argument);
  for (const flag of command.flags) added.addOption(toOption(flag, args));
  added.action(async () => {
    try {
      await run(command, inputOf(command, added));
    } catch (error) {
      if (error instanceof UsageError) added.error(`error: ${error.message}`);
      throw error;
    }
  });
}

/** Group of commands with a common first word, created with its first command. */
function childGroup(parent: Program, name: string): Program {
  return (
    parent.commands.find((command) => command.name() === name) ??
    parent
      .command(name)
      .description(`Commands of the group ${name}.`)
      .showHelpAfterError(`Run '${programName} ${name} --help' for its commands.`)
  );
}

function formatExamples({ examples }: NamedCommand): string {
  return ['', 'Examples:', ...examples.map((example) => `  $ ${programName} ${example}`.trimEnd())].join('\n');
}

function toOption({ name, value, about, values }: Flag, args: readonly string[]): Option {
  if (value === undefined) return new Option(`--${name}`, about);
  const option = new Option(`--${name} <${value}>`, about);
  if (values !== undefined) return option.choices(values);
  return option.argParser((text) => {
    const isInline = args.includes(`--${name}=${text}`);
    // `--config --help` is a forgotten value; the form `--config=--help` passes such a value on purpose.
    if (text !== '' && (isInline || !text.startsWith('-'))) return text;
    throw new InvalidArgumentError(text === '' ? 'It is empty.' : `Write --${name}=VALUE if it starts with a dash.`);
  });
}

function inputOf({ flags }: NamedCommand, parsed: Program): CommandInput {
  const given = new Map(
    parsed.options.map((option) => [option.long, parsed.getOptionValue(option.attributeName())] as const),
  );
  const entries = flags.flatMap(({ name }) => {
    const value: unknown = given.get(`--${name}`);
    if (value === undefined) return [];
    return [[name, typeof value === 'string' ? value : ''] as const];
  });
  return { flags: Object.fromEntries(entries), arguments: parsed.args };
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
