import { expect } from 'vitest';
import type { LogFields, Logger } from '../../src/kernel/logger.ts';

/** One recorded log line. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
}

/** Returns a logger that drops debug lines. */
export function atInfo(log: Logger): Logger {
  return { ...log, debug: () => undefined, with: (fields) => atInfo(log.with(fields)) };
}

/** Creates a logger that records its lines. */
export function recordingLogger(
  lines: LogLine[] = [],
  context: LogFields = {},
): Logger & { readonly lines: LogLine[] } {
  const write =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}): void => {
      const all = { ...context, ...fields };
      // An operator's reason is free text; every other reason is one of a closed set of words.
      if (all.reason !== undefined && all.by === undefined)
        expect(all.reason, `reason of «${message}»`).toMatch(/^\w+$/);
      lines.push({ level, message, fields: all });
    };
  return {
    lines,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    with: (fields) => recordingLogger(lines, { ...context, ...fields }),
  };
}
