import type { Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import { formatTimeOfDay } from '../kernel/timestamp.ts';
import { printableLines } from '../kernel/visible-text.ts';
import { type CommandInput, type ExitCode, exitCode, type Flag } from './command.ts';
import { closeAfter, type DaemonApi, openDaemonApi, takeMissingText } from './daemon-api.ts';
import type { CliPorts } from './ports.ts';
import { formatJson, formatJsonLine, printError } from './print.ts';
import { listenForStop } from './signals.ts';
import type { Terminal } from './table.ts';

const refreshInterval: Millis = 2000;
/** Escape sequence that moves the cursor home and clears the screen. */
const clearScreen = '\u001B[H\u001B[J';

/** Option of each command that prints a table. */
export const wideFlag: Flag = { name: 'wide', about: 'show all columns, without line breaks in cells' };

/** Options of a command that prints a view; `json` is the help of `--json`. */
export function viewFlags(json = 'print a JSON array'): readonly Flag[] {
  return [
    { name: 'watch', about: `refresh every ${refreshInterval / 1000} s until Ctrl-C` },
    wideFlag,
    { name: 'json', about: `${json}; with --watch, one per line` },
  ];
}

/** Data that a command prints once, or again and again. */
export interface View<Data> {
  /** Loads the data; the error is a sentence. */
  readonly load: () => Promise<Result<Data, string>>;
  readonly text: (data: Data, terminal: Terminal) => string;
  /** Value for `--json`; absent for the data itself. */
  readonly json?: (data: Data) => unknown;
  /** Lines below the text about missing data. With `--json`, they go to the standard error. */
  readonly footnote?: (data: Data) => string;
  /** Exit code without `--watch`; absent for 0. */
  readonly exit?: (data: Data) => ExitCode;
}

/** Terminal that the tables of a command fit: on one with a width, columns that do not fit are hidden without `--wide`. */
export function tableTerminal({ flags }: CommandInput, { stdout }: Pick<CliPorts, 'stdout'>): Terminal {
  const { columns, hasColors = false } = stdout;
  return { columns, hasColors, wide: 'wide' in flags };
}

/** Prints a view once, or with `--watch` until a stop signal or until the reader closes the pipe. */
export async function printView<Data>(given: CommandInput, ports: CliPorts, view: View<Data>): Promise<ExitCode> {
  if ('watch' in given.flags) return await watchView(given, ports, view);
  const data = await view.load();
  if (!data.ok) return printError(data.error, ports);
  const isJson = 'json' in given.flags;
  ports.stdout.write(
    isJson ? formatJson(jsonOf(view, data.value)) : view.text(data.value, tableTerminal(given, ports)),
  );
  (isJson ? ports.stderr : ports.stdout).write(view.footnote?.(data.value) ?? '');
  return view.exit?.(data.value) ?? exitCode.ok;
}

/** Prints a view of a running daemon. */
export async function printDaemonView<Data>(
  given: CommandInput,
  ports: CliPorts,
  { load, ...view }: Omit<View<Data>, 'load'> & { readonly load: (api: DaemonApi) => Promise<Result<Data, string>> },
): Promise<ExitCode> {
  const api = await openDaemonApi(given, ports);
  if (!api.ok) return printError(api.error, ports);
  return await closeAfter(api.value, (daemon) =>
    printView(given, ports, {
      ...view,
      load: () => load(daemon),
      footnote: (data) => (view.footnote?.(data) ?? '') + takeMissingText(daemon),
    }),
  );
}

/** A daemon that does not respond may be restarting, so an error does not end the command. */
async function watchView<Data>(given: CommandInput, ports: CliPorts, view: View<Data>): Promise<ExitCode> {
  const { stdout, clock, signals, environment } = ports;
  const stop = listenForStop(signals);
  const separator = stdout.isTerminal && environment.TERM !== 'dumb' ? clearScreen : '\n';
  try {
    while (!stop.requested.aborted && !stdout.isClosed) {
      const data = await view.load();
      const now = `${formatTimeOfDay(clock.now().wall)} UTC`;
      if ('json' in given.flags) stdout.write(data.ok ? formatJsonLine(jsonOf(view, data.value)) : '');
      else stdout.write(`${separator}${now}\n\n${screenText(data, view, tableTerminal(given, ports))}`);
      await clock.sleep(refreshInterval, stop.requested);
    }
  } finally {
    stop.release();
  }
  return exitCode.ok;
}

function screenText<Data>(data: Result<Data, string>, view: View<Data>, terminal: Terminal): string {
  if (!data.ok) return `${printableLines(data.error)}\n`;
  return view.text(data.value, terminal) + (view.footnote?.(data.value) ?? '');
}

function jsonOf<Data>({ json }: View<Data>, data: Data): unknown {
  return json === undefined ? data : json(data);
}
