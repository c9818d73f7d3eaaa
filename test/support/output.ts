import { err, ok } from '../../src/kernel/result.ts';
import type { Output } from '../../src/kernel/system.ts';

/** Standard stream that records what was written. */
export interface RecordingOutput extends Output {
  text(): string;
  /** Lets all further writes fail with `problem`; without it, the reader has closed the pipe. */
  breakOff(problem?: string): void;
}

/** Creates a recording output; `isTerminal` is what the program detects. */
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
