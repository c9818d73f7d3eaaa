import type { Output } from '../../src/kernel/process.ts';

/** A standard stream that keeps what was written. */
export interface RecordingOutput extends Output {
  text(): string;
}

/** Begins to record; `terminal` is what the program is told. */
export function recordingOutput(terminal = false): RecordingOutput {
  let written = '';
  return {
    terminal,
    write: (text) => {
      written += text;
    },
    text: () => written,
  };
}
