import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { configFiles, daemonPod, helm, rendering } from '../helm/chart.ts';
import { eventually } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { send } from '../support/http.ts';
import { startProgram } from '../support/program.ts';

const probe = z.object({ httpGet: z.object({ path: z.string() }) });
const probes = z.object({ livenessProbe: probe, readinessProbe: probe });

it.skipIf(helm === undefined)(
  'a daemon that the chart describes runs, and answers the probes that it describes',
  async () => {
    const port = await freePort();
    const databasePort = await freePort();
    const simulator = await startSimulator({ nodes: 1, ports: [databasePort] }, { listen, clock: systemClock });
    onTestFinished(() => simulator.close());
    const nodes = [{ name: 'm1', url: `http://127.0.0.1:${databasePort}` }];
    const made = rendering({
      values: {
        port,
        listenAddress: '127.0.0.1',
        extraContainers: [{ name: 'proxy', image: 'example.org/proxy:1' }],
        clusters: [{ name: 'prod', nodes, labels: { env: 'test' } }],
        config: { external_url: 'http://warden.example.org/watch/' },
      },
    });
    const folder = await mkdtemp(join(tmpdir(), 'graphwarden-chart-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [config = ''] = configFiles(made);
    await writeFile(join(folder, 'graphwarden.yml'), config.replace('/var/lib/graphwarden', folder));

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
    const { text } = await send(`http://127.0.0.1:${port}/watch/metrics`);
    expect(text).toMatch(/graphdb_up\{cluster_name="prod",env="test",node="m1"\} 1/);
  },
);
