import manifest from '../package.json' with { type: 'json' };
import { cli } from './cli/cli.ts';
import { commands } from './cli/commands.ts';
import type { CliPorts, World } from './cli/ports.ts';
import { systemClock } from './runtime/clock.ts';
import { crashOn } from './runtime/crash.ts';
import { createFile, systemFiles } from './runtime/files.ts';
import { fitHeap } from './runtime/heap.ts';
import { outputTo } from './runtime/output.ts';
import { roles } from './runtime/roles.ts';
import { signalsOf } from './runtime/signals.ts';
import { serveAsWorker } from './runtime/worker-roles.ts';
import { workerThread } from './runtime/worker-thread.ts';

/** Workers run this very file, since the bundle has no other. */
const worker = (role: string) => () => workerThread(new URL(import.meta.url), role);

/** What is loaded only by the commands that speak to the network. */
async function world(): Promise<World> {
  const [{ network }, front, self, stores, web] = await Promise.all([
    import('./runtime/network.ts'),
    import('./runtime/front.ts'),
    import('./runtime/self-metrics.ts'),
    import('./runtime/store/open-store.ts'),
    import('./config/web-config-file.ts'),
  ]);
  return {
    ...network,
    openFront: front.openFront({ files: systemFiles, read: web.readWebConfig, passwords: worker('passwords') }),
    selfMetrics: self.createSelfMetrics,
    openStore: stores.openStore(worker('state')),
    openSpans: async (...given) => (await import('./runtime/tracing/open-span-exports.ts')).openSpanExports(...given),
    readStore: async (folder) => (await import('./runtime/store/read-store.ts')).readStore(folder),
  };
}

async function program(): Promise<never> {
  fitHeap();
  const ports: CliPorts = {
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
    environment: process.env,
    clock: systemClock,
    files: systemFiles,
    createFile,
    signals: signalsOf(process),
    build: { version: manifest.version, commit: process.env.GRAPHWARDEN_COMMIT ?? 'unknown' },
    world,
  };
  crashOn(process, ports.stderr, (code) => process.exit(code));
  process.exit(await cli(process.argv.slice(2), commands, ports));
}

if (!(await serveAsWorker(roles))) await program();
