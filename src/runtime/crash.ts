import type { Output } from '../kernel/process.ts';
import { presentable } from './presentable.ts';

/** Where uncaught errors show: the process, or an emitter in a test. */
export interface CrashSource {
  on(event: 'uncaughtException' | 'unhandledRejection', react: (error: unknown) => void): unknown;
}

/**
 * What no code foresaw ends the program: its state is unknown, and a supervisor starts it anew. The last line
 * of the log says what it was.
 */
export function crashOn(source: CrashSource, out: Output, end: (code: number) => void): void {
  const crash = (error: unknown): void => {
    const fields = presentable({ level: 'error', time: new Date().toISOString(), error });
    out.write(`${JSON.stringify({ ...fields, msg: 'unexpected error, the program ends' })}\n`);
    end(1);
  };
  source.on('uncaughtException', crash);
  source.on('unhandledRejection', crash);
}
