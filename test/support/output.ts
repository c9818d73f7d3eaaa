import type { Output } from '../../src/kernel/process.ts';
import { err, ok } from '../../src/kernel/result.ts';

/** A standard stream that keeps what was written. */
export interface RecordingOutput extends Output {
  text(): string;
  /** From now on nothing can be written; without a sentence because the reader went away. */
  breakOff(trouble?: string): void;
}

/** Begins to record; `terminal` is what the program is told. */
export function recordingOutput(terminal = false): RecordingOutput {
  let written = '';
  let closed = false;
  let trouble: string | undefined;
  return {
    terminal,
    write: (text) => {
      if (!closed) written += text;
    },
    get closed() {
      return closed;
    },
    settled: async () => (trouble === undefined ? ok(undefined) : err(trouble)),
    text: () => written,
    breakOff: (sentence) => {
      closed = true;
      trouble = sentence;
    },
  };
}
