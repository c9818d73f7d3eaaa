import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { configFiles, daemonPod, helm, rendering, scraperHeaders, secretContent } from '../helm/chart.ts';
import { eventually } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { send } from '../support/http.ts';
import { startProgram } from '../support/program.ts';

const probe = z.object({ httpGet: z.object({ path: z.string() }) });
const probes = z.object({ livenessProbe: probe, readinessProbe: probe });

it.skipIf(helm === undefined)(
  'a daemon with the configuration of the chart runs, answers the probes of the chart, and admits the users of the chart',
  async () => {
    const port = await freePort();
    const databasePort = await freePort();
    const simulator = await startSimulator({ nodes: 1, ports: [databasePort] }, { listen, clock: systemClock });
    onTestFinished(() => simulator.close());
    const nodes = [{ name: 'm1', url: `http://127.0.0.1:${databasePort}` }];
    const made = rendering({
      values: {
        port,
        clusters: [{ name: 'prod', nodes, labels: { env: 'test' } }],
        config: { external_url: 'http://warden.example.org/watch/' },
      },
    });
    const folder = await mkdtemp(join(tmpdir(), 'graphwarden-chart-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [config = ''] = configFiles(made);
    const own = config.replace('0.0.0.0', '127.0.0.1').replace('/var/lib/graphwarden', folder);
    await writeFile(join(folder, 'graphwarden.yml'), own.replace('/etc/graphwarden/web', folder));
    const { 'web.yml': web = '', graphwarden: password } = secretContent(made.one('Secret', 'x-graphwarden-users'));
    await writeFile(join(folder, 'web.yml'), web);

    const { daemon } = daemonPod(made);
    const args = (daemon.args ?? []).map((arg) => arg.replace('/etc/graphwarden/config', folder));
    const child = startProgram(args);
    onTestFinished(async () => void (await child.stop()));
    const { livenessProbe, readinessProbe } = probes.parse(daemon);
    for (const { httpGet } of [livenessProbe, readinessProbe]) {
      await eventually(`${httpGet.path} answers; it said ${child.stderr()}`, async () => {
        const { status } = await send(`http://127.0.0.1:${port}${httpGet.path}`);
        return status === 200;
      });
    }
    const headers = scraperHeaders(made);
    const reader = { authorization: `Basic ${Buffer.from(`graphwarden:${password}`).toString('base64')}` };
    const url = `http://127.0.0.1:${port}/watch`;
    expect(await send(`${url}/metrics`)).toMatchObject({ status: 401 });
    expect(await send(`${url}/api/v1/clusters`, { headers })).toMatchObject({ status: 403 });
    expect(await send(`${url}/api/v1/clusters`, { headers: reader })).toMatchObject({ status: 200 });
    const { text } = await send(`${url}/metrics`, { headers });
    expect(text).toMatch(/graphdb_up\{cluster_name="prod",env="test",node="m1"\} 1/);
  },
);
