import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import type { CliPorts, RuntimePorts } from '../../src/cli/ports.ts';
import { readWebConfig } from '../../src/config/web-config-file.ts';
import { ok } from '../../src/kernel/result.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createFile, systemFiles } from '../../src/runtime/files.ts';
import { createSelfMetrics } from '../../src/runtime/self-metrics.ts';
import { memoryStore, readStore as openStoreReadOnly } from '../../src/runtime/store/local-store.ts';
import { openStore } from '../../src/runtime/store/thread-store.ts';
import { systemPorts } from '../../src/runtime/system-ports.ts';
import { openMetricExports } from '../../src/runtime/telemetry/open-metric-exports.ts';
import { openSpanExports } from '../../src/runtime/telemetry/open-span-exports.ts';
import { openWebServer } from '../../src/runtime/web-server.ts';
import { type WorkerThread, workerThread } from '../../src/runtime/worker-thread.ts';
import { type TestPorts, testPorts } from './cli-ports.ts';

/** Starts a password worker of the program, as `main.ts` does. */
export function passwordWorker(): WorkerThread {
  return workerThread(new URL('../../src/main.ts', import.meta.url), 'passwords');
}

/** Real ports, as `main.ts` composes them. */
export const realWorld: RuntimePorts = {
  ...systemPorts,
  openDaemonListener: openWebServer({ files: systemFiles, read: readWebConfig, passwords: passwordWorker }),
  createSelfMetrics,
  openStore: openStore((role) => workerThread(new URL('../../src/main.ts', import.meta.url), role)),
  openSpans: openSpanExports,
  openMetrics: openMetricExports,
  openStoreReadOnly,
};

/** Real ports with the state in memory, because daemons of several tests would use the same folder. */
export const volatileWorld: RuntimePorts = {
  ...realWorld,
  openStore: async () => ok(memoryStore()),
  replaceFile: async () => ok(undefined),
};

/** Ports of the command line with recorded streams and signals; all others are real. */
export type LivePorts = Omit<TestPorts, keyof CliPorts> & CliPorts & Pick<TestPorts, 'stdout' | 'stderr'>;

/** Creates such ports; some of the real ones can be replaced. */
export function livePorts(world: Partial<RuntimePorts> = {}): LivePorts {
  return {
    ...testPorts(),
    clock: systemClock,
    files: systemFiles,
    createFile,
    loadRuntime: async () => ({ ...realWorld, ...world }),
  };
}

/** Registers a function that runs at the end, such as `onTestFinished`. */
export type AtEnd = (end: () => Promise<void>) => void;

/** Returns a function that registers callbacks, which run after all tests of a file, the latest first. */
export function atEndOfFile(): (end: () => Promise<unknown>) => void {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const end of cleanups.toReversed()) await end();
  });
  return (end) => void cleanups.push(end);
}

/** Creates a folder that is removed at the end, by default of the test. */
export async function temporaryFolder(atEnd: AtEnd = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-'));
  atEnd(() => rm(folder, { recursive: true }));
  return folder;
}

/** Writes a configuration into a folder that is removed when the test ends, and returns its path. */
export async function configFile(settings: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await temporaryFolder();
  const path = join(folder, 'graphwarden.yml');
  await writeFile(path, stringify({ state_dir: join(folder, 'state'), ...settings }));
  return path;
}
