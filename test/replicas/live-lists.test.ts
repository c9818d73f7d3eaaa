import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemPorts } from '../../src/runtime/system-ports.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { type Child, eventually } from '../support/child.ts';
import { readJson, send } from '../support/http.ts';
import { atEndOfFile, temporaryFolder } from '../support/live-ports.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { startProgram } from '../support/program.ts';
import { requireTool } from '../support/tools.ts';

const atEnd = atEndOfFile();

interface Replica {
  readonly child: Child;
  readonly url: string;
}

interface List {
  readonly items: readonly Record<string, unknown>[];
  readonly total: number;
  readonly missing?: readonly { readonly clusters: readonly string[]; readonly reason: string }[];
}

let database: PostgresServer;
let simulator: Simulator;
let owner: Replica;
let other: Replica;

async function startReplica(name: string, settings: Readonly<Record<string, unknown>>): Promise<Replica> {
  const folder = join(await temporaryFolder(atEnd), name);
  await mkdir(folder);
  const file = join(folder, 'graphwarden.yml');
  await writeFile(file, stringify({ ...settings, state_dir: join(folder, 'state') }));
  const child = startProgram(['run', '--config', file], { cwd: folder });
  atEnd(async () => {
    child.kill('SIGCONT');
    await child.stop();
    expect(child.stderr()).not.toMatch(/"level":60|which is a bug|unhandled/i);
  });
  const url = await eventually(`${name} listens`, async () => /"url":"(http:[^"]+?)\/?"/.exec(child.stderr())?.[1]);
  return { child, url };
}

const list = async ({ url }: Replica, path: string): Promise<List> => (await readJson(`${url}${path}`)) as List;

/** Sends an action of the operator ada, whom a reverse proxy authenticated. */
async function act({ url }: Replica, path: string, body: unknown = {}): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json', 'x-user': 'ada' };
  const { status, text } = await send(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status, text };
}

async function isOwner(replica: Replica): Promise<boolean> {
  const { items } = await list(replica, '/api/v1/replicas');
  return items.some(({ self, clusters }) => self === true && (clusters as string[]).includes('prod'));
}

/** With the environment variable `PICTURES`, stores pictures of the overview of a replica in that folder. */
async function takePictures({ url }: Replica, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder === undefined) return;
  const browser = await chromium.launch({ executablePath: requireTool('chromium'), args: ['--no-sandbox'] });
  for (const [size, width, height] of [['phone', 390, 844] as const, ['desktop', 1280, 800] as const]) {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.goto(`${url}/#/`);
    await page.getByText(/^Updated/).waitFor();
    await page.getByText(/^Replicas:/).waitFor();
    await page.screenshot({ path: join(folder, `${name}-${size}.png`), fullPage: true });
  }
  await browser.close();
}

describe.skipIf(!hasPostgres())('the replica that owns no cluster', () => {
  beforeAll(async () => {
    database = await startPostgres();
    atEnd(() => database.remove());
    const name = await database.createDatabase();
    simulator = await startSimulator({ nodes: 1 }, { ...systemPorts, clock: systemClock });
    atEnd(() => simulator.close());
    const quick = { interval: '2s', timeout: '1s' };
    const settings = {
      listen: '127.0.0.1:0',
      state_url: `postgres://tester@127.0.0.1:${database.port}/${name}`,
      web: { trusted_proxies: ['127.0.0.1'], user_header: 'x-user' },
      operators: ['ada'],
      clusters: [
        {
          name: 'prod',
          nodes: simulator.nodes.map(({ name: node, url, instance }) => ({ name: node, url, instance })),
        },
      ],
      collectors: { services: quick, queries: quick },
      guard: { policies: [{ name: 'runaway', when: { query: 'ring_*', age: '> 1h' } }] },
    };
    const replicas = [await startReplica('one', settings), await startReplica('two', settings)];
    const [found] = await eventually('a replica owns the cluster, and both know it', async () => {
      const owners = await Promise.all(replicas.map((one) => isOwner(one)));
      const lists = await Promise.all(replicas.map((one) => list(one, '/api/v1/services')));
      const areReady = lists.every(({ total }) => total > 0);
      return areReady && owners.includes(true) ? replicas.filter((_, at) => owners[at] === true) : undefined;
    });
    owner = found ?? expect.fail();
    other = replicas.find((one) => one !== owner) ?? expect.fail();
  });

  it('answers every list, and the page, like the owner', async () => {
    simulator.control.startQuery({ node: 'm1', graph: 'fraud', query: 'ring_1', runsFor: 900_000, timeout: 900_000 });
    const { paths } = (await readJson(`${other.url}/api/v1/openapi.json`)) as {
      paths: Record<string, { get?: { parameters?: readonly { name: string }[] } }>;
    };
    const lists = Object.keys(paths).filter((path) =>
      paths[path]?.get?.parameters?.some(({ name }) => name === 'offset'),
    );
    expect(lists.length).toBeGreaterThan(15);
    for (const path of lists) {
      await eventually(`${path} is the same on both replicas`, async () => {
        const [own, others] = [await list(owner, path), await list(other, path)];
        return own.total === others.total && others.missing === undefined;
      });
    }
    await eventually(
      'the query is listed',
      async () => (await list(other, '/api/v1/queries?cluster=prod')).total === 1,
    );
    const { items } = await list(other, '/api/v1/clusters');
    expect(items).toMatchObject([{ name: 'prod', owner: expect.any(String), nodes: [{ name: 'm1' }] }]);
    const guard = await Promise.all([owner, other].map(({ url }) => readJson(`${url}/api/v1/guard`)));
    expect(guard[1]).toEqual(guard[0]);
    expect((await send(`${other.url}/`)).text).toContain('&quot;replicas&quot;:true');
    await takePictures(other, 'overview');
  });

  it('streams the events of the owner', async () => {
    let events = '';
    const stream = request(`${other.url}/api/v1/events`, (reply) => {
      reply.on('data', (chunk: Buffer) => {
        events += chunk.toString();
      });
    });
    stream.end();
    // The events begin when the replica has reached the owner.
    await eventually('an event of the owner arrives', async () => {
      simulator.control.setInstances('GPE', events.length % 2 === 0 ? 'Down' : 'Online');
      await new Promise((resolve) => setTimeout(resolve, 3000));
      return events.includes('event: transition');
    });
    stream.destroy();
    simulator.control.setInstances('GPE', 'Down');
  });

  it('sends actions to the owner, which audits the operator', async () => {
    const [query] = (await list(other, '/api/v1/queries')).items;
    const path = `/api/v1/clusters/prod/nodes/m1/queries/${String(query?.id)}`;
    expect(await readJson(`${other.url}${path}/why`)).toMatchObject({ listing: 'listed' });
    const aborted = await act(other, `${path}/abort`, { reason: 'slow' });
    expect(aborted).toMatchObject({ status: 200 });
    expect(simulator.aborts()).toHaveLength(1);
    const alert = await eventually('the outage fires', async () => {
      const { items } = await list(other, '/api/v1/alerts?phase=firing&cluster=prod');
      return items.find(({ incident, event }) => incident !== '' && event === false);
    });
    const incident = `/api/v1/incidents/${String(alert.incident)}`;
    expect(await act(other, `${incident}/acknowledge`, { comment: 'on it' })).toMatchObject({ status: 200 });
    expect(await readJson(`${owner.url}${incident}`)).toMatchObject({ acknowledgement: { author: 'ada' } });
    const { items } = await list(other, '/api/v1/guard/audit');
    const actions = items.filter(({ by }) => by === 'ada').map(({ action, kind }) => (action === '' ? kind : action));
    expect(actions).toEqual(expect.arrayContaining(['manual_abort', 'acknowledge']));
  });

  it('names the clusters of an owner that does not answer, on the page and in the terminal', async () => {
    owner.child.kill('SIGSTOP');
    const { missing } = await eventually('the list is incomplete', async () => {
      const found = await list(other, '/api/v1/clusters');
      return found.missing === undefined ? undefined : found;
    });
    expect(missing).toMatchObject([{ clusters: ['prod'], reason: expect.stringContaining('did not answer') }]);
    const status = startProgram(['status', '--url', other.url]);
    expect(await status.ended).toBe(3);
    expect(status.stdout()).toMatch(/^prod +unknown/m);
    expect(status.stdout()).toMatch(/^Replicas: . of 2 live/m);
    expect(status.stdout()).toMatch(/^incomplete: No data of prod, because the replica .* did not answer/m);
    await takePictures(other, 'incomplete');
    owner.child.kill('SIGCONT');
    await eventually(
      'the list is complete again',
      async () => (await list(other, '/api/v1/clusters')).missing === undefined,
    );
  });
});
