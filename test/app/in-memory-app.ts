import { createApp } from '../../src/app/create-app.ts';
import type { AppPorts } from '../../src/app/ports/app-ports.ts';
import { loadConfig } from '../../src/config/load.ts';
import { formatProblems } from '../../src/config/problems.ts';
import { ok } from '../../src/kernel/result.ts';
import type { Store } from '../../src/kernel/store.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import type { FakeClock } from '../support/clock.ts';
import { FakeFiles } from '../support/fake-files.ts';
import type { InMemoryCluster } from '../support/in-memory-cluster.ts';
import { recordingLogger } from '../support/logger.ts';
import { toHttpReply } from '../support/memory-network.ts';
import { FakeCron } from './fake-cron.ts';
import { fixedRandom } from './fakes.ts';

/** User that the simulated GSQL server accepts. */
export const simulatedUser = { username: 'monitor', password: 'simulated' };

/** The world of an application without sockets. */
interface InMemoryWorld {
  readonly clock: FakeClock;
  readonly cluster: InMemoryCluster;
  readonly store?: Store;
  /** Replaces ports. */
  readonly ports?: Partial<AppPorts>;
  /** Further sections of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Starts an application on a simulated cluster `prod` without sockets, on the clock of the test. */
export async function startInMemoryApp(
  { clock, cluster: { simulator, openPool }, store = memoryStore(), ports, config }: InMemoryWorld,
  collectors: Readonly<Record<string, unknown>>,
  cluster: Readonly<Record<string, unknown>> = {},
) {
  const log = recordingLogger();
  const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
  const prod = { name: 'prod', nodes, read_auth: { basic: simulatedUser }, ...cluster };
  const text = JSON.stringify({ state_dir: '/nowhere', clusters: [prod], collectors, ...config });
  const loaded = loadConfig(text, 'test.yml', {});
  if (!loaded.ok) throw new Error(formatProblems(loaded.error));
  const app = createApp(loaded.value, {
    clock,
    random: fixedRandom(0.5),
    log,
    openPool,
    sendMail: () => Promise.reject(new Error('no mail is sent')),
    digest,
    files: new FakeFiles(),
    dns: { srv: async () => ok([]), addresses: async () => ok([]) },
    cron: new FakeCron().schedule,
    store,
    tail: async () => '',
    reload: async () => ok([]),
    build: { version: '0.0.0', commit: 'test' },
    hostname: 'localhost',
    readStatusPage: async () => undefined,
    ...ports,
  });
  await app.start();
  const get = async (target: string): Promise<string> => {
    const { pathname: path, searchParams: query } = new URL(target, 'http://localhost');
    const { signal: disconnected } = new AbortController();
    const request = { method: 'GET', path, query, headers: {}, remoteAddress: '', disconnected };
    const reply = await app.localHandler({ ...request, text: async () => '' });
    return Buffer.from((await toHttpReply(reply)).body).toString();
  };
  const stop = async (): Promise<void> => {
    const stopping = app.stop();
    await clock.advance(10_000);
    await stopping;
  };
  return { log, get, stop };
}
