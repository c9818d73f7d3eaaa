import { err, ok } from '../../src/kernel/result.ts';
import type { Output } from '../../src/kernel/system.ts';

/** A standard stream that keeps what was written. */
export interface RecordingOutput extends Output {
  text(): string;
  /** From now on nothing can be written; without a sentence because the reader went away. */
  breakOff(problem?: string): void;
}

/** Returns an output that records; `isTerminal` is what the program sees. */
export function recordingOutput(isTerminal = false): RecordingOutput {
  let written = '';
  let closed = false;
  let problem: string | undefined;
  return {
    isTerminal,
    write: (text) => {
      if (!closed) written += text;
    },
    get isClosed() {
      return closed;
    },
    flushed: async () => (problem === undefined ? ok(undefined) : err(problem)),
    text: () => written,
    breakOff: (sentence) => {
      closed = true;
      problem = sentence;
    },
  };
}
