import { pino } from 'pino';
import type { AdjustableLog, LogFields, Logger, LogLevel, LogSettings } from '../kernel/logger.ts';
import type { Output } from '../kernel/system.ts';
import { formatTimestamp } from '../kernel/timestamp.ts';
import { escapeInvisible } from '../kernel/visible-text.ts';
import { redactFields } from './log-fields.ts';

/** Priorities of syslog, which the journal of systemd shows and filters. */
const priority: Readonly<Record<string, number>> = { debug: 7, info: 6, warn: 4, error: 3 };
const severity: Readonly<Record<LogLevel, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

interface LineWriter {
  write(line: string): void;
}

/** Opens the log on `out`, as JSON lines or as text for people. Secrets are removed from the fields. */
export async function openLogger(settings: LogSettings, out: Output): Promise<AdjustableLog> {
  const pretty = settings.format === 'pretty' || (settings.format === 'auto' && out.isTerminal);
  const lines = pino(
    {
      level: 'debug',
      timestamp: () => `,"time":"${formatTimestamp(Date.now())}"`,
      formatters: { bindings: () => ({}), level: (label) => ({ level: label }) },
    },
    pretty ? await prettyWriter(out) : jsonWriter(out),
  );
  let threshold = severity[settings.level];
  const write = (level: LogLevel, message: string, fields: LogFields): void => {
    if (severity[level] >= threshold) lines[level](redactFields(fields), message);
  };
  return {
    log: createLogger(write, {}),
    setLevel: (level) => {
      threshold = severity[level];
    },
  };
}

function createLogger(
  write: (level: LogLevel, message: string, fields: LogFields) => void,
  context: LogFields,
): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void =>
      write(level, message, { ...context, ...fields });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => createLogger(write, { ...context, ...fields }),
  };
}

function jsonWriter(out: Output): LineWriter {
  if (out.isJournal !== true) return { write: (line) => out.write(escapeInvisible(line)) };
  return { write: (line) => out.write(journalPrefix(line) + escapeInvisible(line)) };
}

/** Prefix by which the journal recognizes the level of a line, which begins with it. */
function journalPrefix(line: string): string {
  const [, level = 'info'] = /^\{"level":"(debug|info|warn|error)"/.exec(line) ?? [];
  return `<${priority[level]}>`;
}

/** Loads the pretty printer, which is slow to load, for terminals only. */
async function prettyWriter(out: Output): Promise<LineWriter> {
  const { prettyFactory } = await import('pino-pretty');
  const print = prettyFactory({
    colorize: out.isTerminal && out.hasColors === true,
    translateTime: "UTC:yyyy-mm-dd'T'HH:MM:ss.l'Z'",
    messageKey: 'msg',
    singleLine: true,
    errorLikeObjectKeys: [],
  });
  return { write: (line) => out.write(escapeInvisible(print(line) ?? '')) };
}
