/**
 * Port to the log. Messages are constants; values go into `fields`. The text of an error is in `error`; `reason` is one
 * word of a closed set, such as `timeout`.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** For events that need a person to act. */
  error(message: string, fields?: LogFields): void;
  /** Returns a logger that adds `fields` to every line. */
  with(fields: LogFields): Logger;
}

/** Structured context of a log line. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Log levels, least severe first. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Level and format of the log; the `log` block of the configuration. */
export interface LogSettings {
  readonly level: LogLevel;
  /** `auto` is `pretty` on a terminal, otherwise `json`. */
  readonly format: 'json' | 'pretty' | 'auto';
}

/** Log whose level follows a reload; so do its children. */
export interface AdjustableLog {
  readonly log: Logger;
  setLevel(level: LogLevel): void;
}
