/** The port to the log. Texts of `warn` and `error` are constants; what varies goes into `fields`. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** A person must act. */
  error(message: string, fields?: LogFields): void;
  /** A logger that puts `fields` on every line. */
  with(fields: LogFields): Logger;
}

/** Structured context of a log line. */
export type LogFields = Readonly<Record<string, unknown>>;

/** From everything to what a person must act on. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** How much is written, and for whom; the configuration's `log` block. */
export interface LogSettings {
  readonly level: LogLevel;
  /** `auto` is `pretty` on a terminal, `json` else. */
  readonly format: 'json' | 'pretty' | 'auto';
}

/** A log whose level follows a reload; its children follow as well. */
export interface AdjustableLog {
  readonly log: Logger;
  setLevel(level: LogLevel): void;
}
