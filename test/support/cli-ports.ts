import type { CliPorts, RuntimePorts } from '../../src/cli/ports.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { SignalName } from '../../src/kernel/system.ts';
import { FakeClock } from './clock.ts';
import { type RecordingOutput, recordingOutput } from './output.ts';

/** Ports of the command line without effects outside of the test, with what the command did. */
export interface TestPorts extends CliPorts {
  readonly stdout: RecordingOutput;
  readonly stderr: RecordingOutput;
  readonly clock: FakeClock;
  /** Texts of files by path. The text of a file is also its stamp. */
  readonly disk: Map<string, string>;
  /** Delivers a signal to its listeners. */
  signal(name: SignalName): void;
  listeners(name: SignalName): number;
}

/** Creates ports with an empty disk. `loadRuntime` fails unless the test provides it. */
export function testPorts(parts: Partial<CliPorts> & { readonly terminal?: boolean } = {}): TestPorts {
  const disk = new Map<string, string>();
  const reactions = new Map<SignalName, Set<() => void>>();
  const reactionsTo = (name: SignalName): Set<() => void> => {
    const known = reactions.get(name) ?? new Set();
    reactions.set(name, known);
    return known;
  };
  return {
    environment: {},
    build: { version: '1.2.3', commit: 'abc' },
    loadRuntime: () => Promise.reject<RuntimePorts>(new Error('this command needs no world')),
    ...parts,
    stdout: recordingOutput(),
    stderr: recordingOutput(parts.terminal),
    clock: new FakeClock(),
    disk,
    files: {
      readText: async (path) => {
        const text = disk.get(path);
        return text === undefined ? err(`cannot read '${path}': no such file`) : ok(text);
      },
      stamp: async (path) => disk.get(path),
      presence: async (path) => (disk.has(path) ? 'present' : 'absent'),
    },
    createFile: async (path, text) => {
      if (disk.has(path)) return err(`cannot create '${path}': it exists`);
      disk.set(path, text);
      return ok(undefined);
    },
    signals: {
      on: (name, react) => {
        reactionsTo(name).add(react);
        return () => void reactionsTo(name).delete(react);
      },
    },
    signal: (name) => {
      for (const react of reactionsTo(name)) react();
    },
    listeners: (name) => reactionsTo(name).size,
  };
}
