import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { createTask, validate } from 'node-cron';
import type { OpenHttpPool } from '../kernel/http.ts';
import type { Cron, Digest, Random, ReadStatusPage } from '../kernel/system.ts';
import type { OpenSharedState, SharedStateToolOptions } from '../model/replica-database.ts';
import { createBoundedWorker } from './bounded-worker.ts';
import { systemClock } from './clock.ts';
import { dns } from './dns.ts';
import { embeddedFile, isExecutable } from './executable.ts';
import { fileMode, replaceFile } from './files.ts';
import { openHttpPool } from './http-pool.ts';
import { lineFiles } from './line-files.ts';
import { listen } from './listener.ts';
import { listenOnSocket } from './local-socket.ts';
import { openLogger } from './logger.ts';
import { sendMail } from './mail.ts';
import { enableOptimizer, tuneForFleet } from './process.ts';
import { MemoryBudget } from './reply-memory.ts';

/** Lateness up to which a run still counts, in milliseconds: a busy minute must not skip a weekly check. */
const cronTolerance = 60_000;

/** Logger that drops every message; without it node-cron writes to the console. */
const silentCronLogger = { info: ignoreLog, warn: ignoreLog, error: ignoreLog, debug: ignoreLog };

function ignoreLog(): void {}

/** Calls back at the instants of a cron expression, in the time zone of the machine. Throws on an invalid expression. */
export const cron: Cron = (expression, run) => {
  if (!validate(expression)) throw new Error(`'${expression}' is not a cron expression`);
  const task = createTask(expression, run, {
    logger: silentCronLogger,
    missedExecutionTolerance: cronTolerance,
    suppressMissedWarning: true,
  });
  void task.start();
  return { stop: () => void task.destroy(), next: () => task.getNextRun()?.getTime() };
};

/** Checksums of `node:crypto`. */
export const digest: Digest = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  hmacSha256: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
};

/** Random numbers for jitter and phases. They are predictable, so they are not for secrets. */
export const systemRandom: Random = { next: () => Math.random() };

/** Paths of the built status page, relative to a chunk of the bundle and to this source file. */
const statusPagePaths = ['../graphwarden-page.json', '../../dist/graphwarden-page.json'];

/** Reads the status page that `tools/build/status-page.ts` built. */
const readStatusPage: ReadStatusPage = async () => {
  if (isExecutable()) return embeddedFile('graphwarden-page.json');
  for (const path of statusPagePaths) {
    const text = await readFile(new URL(path, import.meta.url), 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  return undefined;
};

/** Memory for the long replies of all servers. */
const replyMemory = new MemoryBudget();

/** Ports that are slow to load and need no settings: one import for the commands that use the network. */
export const systemPorts = {
  random: systemRandom,
  dns: dns(),
  cron,
  digest,
  openPool: (options) => openHttpPool(options, replyMemory),
  replyMemory,
  sendMail,
  openLog: openLogger,
  lineFiles,
  replaceFile,
  listen,
  listenOnSocket,
  fileMode,
  createWorker: createBoundedWorker,
  enableOptimizer: (whenBusy: boolean, stopped: AbortSignal) => {
    void enableOptimizer({ whenBusy, clock: systemClock }, stopped);
  },
  tuneForFleet: (nodes: number, stopped: AbortSignal) => {
    void tuneForFleet({ nodes, clock: systemClock }, stopped);
  },
  createToken: () => randomBytes(18).toString('base64url'),
  readStatusPage,
  hostname: hostname(),
  openSharedState: async (options) => (await import('./postgres/open-replica-state.ts')).openSharedState(options),
  loadSharedStateTools: async (options: SharedStateToolOptions) =>
    (await import('./postgres/database-tools.ts')).sharedStateTools(options),
  loadStateTools: async () => (await import('./store/state-tools.ts')).stateTools(),
} as const satisfies Readonly<Record<string, unknown>> & {
  readonly openPool: OpenHttpPool;
  readonly openSharedState: OpenSharedState;
};
