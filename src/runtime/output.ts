import type { Output } from '../kernel/process.ts';

/** A standard stream of the process, or what stands for one in a test. */
export interface TextStream {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
  on(event: 'error', react: (error: Error) => void): unknown;
}

/** Shows a stream as the port. A reader that went away (`| head`) is no reason to crash: what it misses is lost. */
export function outputTo(stream: TextStream): Output {
  stream.on('error', () => {});
  return {
    write: (text) => void stream.write(text),
    terminal: stream.isTTY === true,
  };
}
