import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { helm, rendering, scraperHeaders } from '../helm/chart.ts';
import { sidecarsOf } from '../helm/fragments.ts';
import { eventually } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { send } from '../support/http.ts';
import { startProgram } from '../support/program.ts';

it.skipIf(helm === undefined)(
  'a sidecar with the configuration of the chart tolerates a missing configuration, and then monitors its node',
  async () => {
    const [databasePort, port] = [await freePort(), await freePort()];
    const simulator = await startSimulator({ nodes: 1, ports: [databasePort] }, { listen, clock: systemClock });
    onTestFinished(() => simulator.close());
    const clusters = [{ name: 'prod', service: { port: databasePort } }];
    const made = rendering({ values: { mode: 'sidecar', clusters, sidecar: { port } } });
    const folder = await mkdtemp(join(tmpdir(), 'graphwarden-sidecar-'));
    onTestFinished(() => rm(folder, { recursive: true }));

    // As its container starts it, but for the folders.
    const [sidecar] = sidecarsOf(made);
    const args = (sidecar?.args ?? []).map((arg) => arg.replace('/etc/graphwarden/config', folder));
    const child = startProgram(args, { env: { ...process.env, POD_NAME: 'prod-0', POD_IP: '127.0.0.1' } });
    onTestFinished(async () => void (await child.stop()));
    await eventually('it says what is missing', async () => child.stderr().includes('retrying in'));

    const { 'graphwarden.yml': config = '', 'web.yml': web = '' } =
      made.one('ConfigMap', 'x-graphwarden-prod').data ?? {};
    await writeFile(join(folder, 'web.yml'), web);
    const own = config.replace('/var/lib/graphwarden', folder).replace('/etc/graphwarden/config', folder);
    await writeFile(join(folder, 'graphwarden.yml'), own);
    const headers = scraperHeaders(made);
    const page = await eventually('it watches its node', async () => {
      const { text } = await send(`http://127.0.0.1:${port}/metrics`, { headers });
      return text.includes('graphdb_up{') && text;
    });
    expect(page).toMatch(/graphdb_up\{cluster_name="prod",node="prod-0"\} 1/);
    expect(await send(`http://127.0.0.1:${port}/metrics`)).toMatchObject({ status: 401 });
    // What belongs to the cluster is for the one daemon beside it.
    expect(page).not.toContain('graphdb_service_status{');
    child.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  },
);
