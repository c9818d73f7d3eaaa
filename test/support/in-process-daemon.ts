import { stringify } from 'yaml';
import { createApp } from '../../src/app/create-app.ts';
import type { App, AppPorts } from '../../src/app/ports/app-ports.ts';
import { loadConfig } from '../../src/config/load.ts';
import { formatProblems } from '../../src/config/problems.ts';
import { ok } from '../../src/kernel/result.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemFiles } from '../../src/runtime/files.ts';
import { listen } from '../../src/runtime/listener.ts';
import { createSelfMetrics } from '../../src/runtime/self-metrics.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { systemPorts } from '../../src/runtime/system-ports.ts';
import { checkAnswers } from './api-checker.ts';
import { eventually } from './child.ts';
import { readExposition } from './exposition.ts';
import type { ExpositionFamily } from './exposition-family.ts';
import { send } from './http.ts';
import { atInfo, type LogLine, recordingLogger } from './logger.ts';
import { forOperator } from './open-access.ts';

/** Daemon in this process with real ports, except for its log. */
export interface InProcessDaemon {
  readonly url: string;
  readonly host: string;
  readonly app: App;
  readonly log: readonly LogLine[];
  /** Requests the metrics page and parses it strictly. */
  page(): Promise<Page>;
  stop(): Promise<void>;
}

/** Lookups on one metrics page. */
export interface Page {
  readonly text: string;
  readonly families: ReadonlyMap<string, ExpositionFamily>;
  /** Returns the value of the only series with this name and these labels; undefined if there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

/** Starts a daemon on a free loopback port. The settings are those of a configuration file; some of its ports can be replaced. */
export async function startInProcessDaemon(
  settings: Readonly<Record<string, unknown>>,
  world: Partial<AppPorts> = {},
  parts: Parameters<typeof createApp>[2] = {},
): Promise<InProcessDaemon> {
  const loaded = loadConfig(stringify({ state_dir: '/nowhere', ...settings }), 'test.yml', {});
  if (!loaded.ok) throw new Error(formatProblems(loaded.error));
  const build = { version: '0.0.0', commit: 'test' };
  const log = recordingLogger();
  const self = createSelfMetrics(build);
  const ports: AppPorts = {
    clock: systemClock,
    ...systemPorts,
    log: atInfo(log),
    files: systemFiles,
    store: memoryStore(),
    tail: (format) => self.tail(format),
    reload: () => Promise.resolve(ok([])),
    build,
    hostname: 'localhost',
    ...world,
  };
  const app = createApp(loaded.value, ports, parts);
  const listening = await listen({ host: '127.0.0.1', port: 0, handler: forOperator(app.handler) });
  await app.start();
  const url = `http://127.0.0.1:${listening.port}`;
  checkAnswers(url);
  await eventually('the daemon is ready', async () => (await send(`${url}/-/ready`)).status === 200);
  return {
    url,
    host: `127.0.0.1:${listening.port}`,
    app,
    log: log.lines,
    page: async () => pageOf((await send(`${url}/metrics`)).text),
    stop: async () => {
      await app.stop();
      await listening.close(1000);
      self.stop();
    },
  };
}

/** Parses a metrics page for lookups. */
export function pageOf(text: string): Page {
  const families = readExposition(text, 'text');
  const samples = [...families.values()].flatMap((family) => family.samples);
  return {
    text,
    families,
    value: (name, labels = {}) => {
      const found = samples.filter((one) => one.name === name && hasAll(one.labels, labels));
      if (found.length > 1) throw new Error(`${found.length} series of ${name} with ${JSON.stringify(labels)}`);
      return found[0]?.value;
    },
  };
}

function hasAll(labels: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}
