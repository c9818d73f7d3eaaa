import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { type Child, eventually, startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { readJson, send } from './http.ts';
import { temporaryFolder } from './live-ports.ts';
import { requireTool } from './tools.ts';

const known = z.array(
  z.object({
    labels: z.record(z.string(), z.string()),
    annotations: z.record(z.string(), z.string()),
    startsAt: z.string(),
    updatedAt: z.string(),
    endsAt: z.string(),
    generatorURL: z.string().optional(),
    status: z.object({ state: z.string() }),
  }),
);

/** Alert in the API of Alertmanager, which returns only firing ones. */
export type KnownAlert = z.infer<typeof known>[number];

/** Real Alertmanager on a loopback port, which stays the same after a restart. */
export interface Alertmanager {
  readonly url: string;
  /** Returns the firing alerts; filters are matchers such as `alertname="Gone"`. */
  alerts(...filters: readonly string[]): Promise<readonly KnownAlert[]>;
  /** Stops Alertmanager and keeps its data. */
  stop(): Promise<void>;
  /** Starts Alertmanager again and waits until it is ready. */
  start(): Promise<void>;
}

/** Starts Debian's Alertmanager as a cluster of one until the test ends. It sends its own notifications to `hook`. */
export async function startAlertmanager(hook = 'http://127.0.0.1:9/'): Promise<Alertmanager> {
  const folder = await temporaryFolder();
  const file = join(folder, 'alertmanager.yml');
  await writeFile(file, stringify(settings(hook)));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: Child | undefined;
  const stop = async (): Promise<void> => {
    await child?.stop();
    child = undefined;
  };
  const start = async (): Promise<void> => {
    const started = startChild(requireTool('prometheus-alertmanager'), [
      `--config.file=${file}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
      '--log.level=warn',
    ]);
    child = started;
    await eventually('Alertmanager is ready', async () => (await send(`${url}/-/ready`)).status === 200).catch(
      (error: unknown) => {
        throw new Error(`Alertmanager did not start: ${started.stderr()}`, { cause: error });
      },
    );
  };
  onTestFinished(stop);
  await start();
  return {
    url,
    stop,
    start,
    alerts: async (...filters) => {
      const query = new URLSearchParams(filters.map((filter): [string, string] => ['filter', filter]));
      return known.parse(await readJson(`${url}/api/v2/alerts?${query.toString()}`));
    },
  };
}

/** Returns a configuration that notifies groups at once, so that a test does not wait for `group_wait`. */
function settings(hook: string): object {
  return {
    route: { receiver: 'hook', group_by: ['...'], group_wait: '0s', group_interval: '1s', repeat_interval: '1h' },
    receivers: [{ name: 'hook', webhook_configs: [{ url: hook, send_resolved: true }] }],
  };
}
