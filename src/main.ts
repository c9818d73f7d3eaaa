import manifest from '../package.json' with { type: 'json' };
import type { CliPorts, RuntimePorts } from './cli/ports.ts';
import { systemClock } from './runtime/clock.ts';
import { createFile, systemFiles } from './runtime/files.ts';
import { exitOnUncaughtError, signalsOf, standardOutput, tuneHeap } from './runtime/process.ts';
import { createRoles } from './runtime/roles.ts';
import { findSupervisor, isJournalStream } from './runtime/systemd.ts';
import { serveAsWorker } from './runtime/worker-roles.ts';
import { type OpenWorker, workerThread } from './runtime/worker-thread.ts';

/** Workers run this file too. */
const worker: OpenWorker = (role) => (limits) => workerThread(new URL(import.meta.url), role, limits);

/** Loads the ports that only commands with network access need. */
async function loadRuntime(): Promise<RuntimePorts> {
  const [{ systemPorts }, front, self, stores, { readWebConfig: read }] = await Promise.all([
    import('./runtime/system-ports.ts'),
    import('./runtime/web-server.ts'),
    import('./runtime/self-metrics.ts'),
    import('./runtime/store/thread-store.ts'),
    import('./config/web-config-file.ts'),
  ]);
  const openReplyWorker = () => systemPorts.createWorker(worker('replies'), systemClock);
  return {
    ...systemPorts,
    workers: { collectors: openReplyWorker(), guard: openReplyWorker() },
    openDaemonListener: front.openWebServer({ files: systemFiles, read, passwords: worker('passwords') }),
    createSelfMetrics: (build) => self.createSelfMetrics(build, systemClock, systemPorts.replyMemory),
    openStore: stores.openStore((role) => worker(role)()),
    openSpans: async (...given) =>
      (await import('./runtime/telemetry/open-telemetry.ts')).exporters.openSpans(...given),
    openMetrics: async (...given) =>
      (await import('./runtime/telemetry/open-telemetry.ts')).exporters.openMetrics(...given),
    openStoreReadOnly: async (folder) => (await import('./runtime/store/local-store.ts')).readStore(folder),
  };
}

/** Runs the command; workers do not load the commands. */
async function runProgram(): Promise<never> {
  tuneHeap(process.argv[2] === 'run');
  const ports: CliPorts = {
    stdout: standardOutput(process.stdout),
    stderr: standardOutput(process.stderr, isJournalStream(process.env, process.stderr.fd)),
    environment: process.env,
    clock: systemClock,
    files: systemFiles,
    createFile,
    signals: signalsOf(process),
    supervisor: findSupervisor(process.env),
    build: { version: manifest.version, commit: process.env.GRAPHWARDEN_COMMIT ?? 'unknown' },
    loadRuntime,
  };
  exitOnUncaughtError(process, ports.stderr, (code) => process.exit(code));
  const [{ runCli }, { commands }] = await Promise.all([import('./cli/cli.ts'), import('./cli/commands/all.ts')]);
  process.exit(await runCli(process.argv.slice(2), commands, ports));
}

const replies = async () => (await import('./graphdb/long-reply.ts')).longReplyWork;
const summaries = async () => [(await import('./track/availability-summary.ts')).availabilitySummary];
if (!(await serveAsWorker({ ...createRoles(summaries, manifest.version), replies }))) await runProgram();
