import { expect } from 'vitest';
import type { LogFields, Logger } from '../../src/kernel/logger.ts';

/** One recorded log line. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
}

/** The same logger at level info: without lines at debug. */
export function atInfo(log: Logger): Logger {
  return { ...log, debug: () => undefined, with: (fields) => atInfo(log.with(fields)) };
}

/** A logger that keeps its lines for a test to look at. */
export function recordingLogger(
  lines: LogLine[] = [],
  context: LogFields = {},
): Logger & { readonly lines: LogLine[] } {
  const write =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}): void => {
      const all = { ...context, ...fields };
      // The reason of an operator is a text of theirs; every other one is a word of a closed set.
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
