import type { Output } from '../kernel/process.ts';
import { err, ok } from '../kernel/result.ts';
import { reason } from './files.ts';

/** A standard stream of the process, or what stands for one in a test. */
export interface TextStream {
  readonly isTTY?: boolean | undefined;
  write(text: string, done: (error?: Error | null) => void): unknown;
  on(event: 'error', react: (error: Error) => void): unknown;
}

/** Shows a stream as the port. A reader that went away (`| head`) is no reason to crash: what it misses is lost. */
export function outputTo(stream: TextStream): Output {
  let trouble: Error | undefined;
  let latest = Promise.resolve();
  const note = (error: Error): void => {
    trouble ??= error;
  };
  stream.on('error', note);
  return {
    write: (text) => {
      latest = new Promise((resolve) => {
        stream.write(text, (error) => {
          if (error) note(error);
          resolve();
        });
      });
    },
    terminal: stream.isTTY === true,
    get closed() {
      return trouble !== undefined;
    },
    settled: async () => {
      await latest;
      return trouble === undefined || isReaderGone(trouble) ? ok(undefined) : err(reason(trouble));
    },
  };
}

function isReaderGone(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}
