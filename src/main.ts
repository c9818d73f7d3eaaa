import manifest from '../package.json' with { type: 'json' };
import { runCli } from './cli/cli.ts';
import { commands } from './cli/commands/all.ts';
import type { CliPorts, RuntimePorts } from './cli/ports.ts';
import { systemClock } from './runtime/clock.ts';
import { createFile, systemFiles } from './runtime/files.ts';
import { exitOnUncaughtError, signalsOf, standardOutput, tuneHeap } from './runtime/process.ts';
import { roles } from './runtime/roles.ts';
import { serveAsWorker } from './runtime/worker-roles.ts';
import { workerThread } from './runtime/worker-thread.ts';

/** Workers run this file, because the bundle is one file. */
const worker = (role: string) => () => workerThread(new URL(import.meta.url), role);

/** Loads the ports that only commands with network access need. */
async function loadRuntime(): Promise<RuntimePorts> {
  const [{ systemPorts }, front, self, stores, web] = await Promise.all([
    import('./runtime/system-ports.ts'),
    import('./runtime/web-server.ts'),
    import('./runtime/self-metrics.ts'),
    import('./runtime/store/thread-store.ts'),
    import('./config/web-config-file.ts'),
  ]);
  return {
    ...systemPorts,
    openDaemonListener: front.openWebServer({
      files: systemFiles,
      read: web.readWebConfig,
      passwords: worker('passwords'),
    }),
    createSelfMetrics: self.createSelfMetrics,
    openStore: stores.openStore(worker('state')),
    openSpans: async (...given) =>
      (await import('./runtime/telemetry/open-telemetry.ts')).exporters.openSpans(...given),
    openMetrics: async (...given) =>
      (await import('./runtime/telemetry/open-telemetry.ts')).exporters.openMetrics(...given),
    openStoreReadOnly: async (folder) => (await import('./runtime/store/local-store.ts')).readStore(folder),
  };
}

async function runProgram(): Promise<never> {
  tuneHeap();
  const ports: CliPorts = {
    stdout: standardOutput(process.stdout),
    stderr: standardOutput(process.stderr),
    environment: process.env,
    clock: systemClock,
    files: systemFiles,
    createFile,
    signals: signalsOf(process),
    build: { version: manifest.version, commit: process.env.GRAPHWARDEN_COMMIT ?? 'unknown' },
    loadRuntime,
  };
  exitOnUncaughtError(process, ports.stderr, (code) => process.exit(code));
  process.exit(await runCli(process.argv.slice(2), commands, ports));
}

if (!(await serveAsWorker(roles))) await runProgram();
