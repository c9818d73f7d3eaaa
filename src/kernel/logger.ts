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
