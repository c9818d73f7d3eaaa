import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { collectors } from '../../src/collect/all.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { startDaemon } from '../support/daemon.ts';
import { readJson, send } from '../support/http.ts';
import { type Page, pageOf } from '../support/in-process-daemon.ts';
import { createMemoryGroup } from '../support/memory-group.ts';
import { startTcp } from '../support/tcp-server.ts';
import { type EvilBehaviour, type EvilReply, evilBehaviours } from './evil-replies.ts';
import { abortCalls } from './guard-environment.ts';

const mebibyte = 1_048_576;
const names = collectors.map(({ name }) => name);
/** Often, and short, so that each behaviour meets every collector. */
const timing = { interval: '1s', timeout: '1s' };

function reply(socket: Socket, { pieces, hangs = false, drips = false }: EvilReply): void {
  for (const piece of pieces) socket.write(piece);
  const last = pieces.at(-1);
  if (!hangs) socket.end();
  if (!drips || last === undefined) return;
  const timer = setInterval(() => socket.writableNeedDrain || socket.write(last), 5);
  socket.once('close', () => clearInterval(timer));
}

const noReply: EvilBehaviour = () => ({ pieces: [] });

/** The daemon aborts runaway queries of all nodes. */
const guard = {
  mode: 'enforce',
  budgets: { per_node: { max: 100, within: '1h' }, per_cluster: { max: 100, within: '1h' } },
  policies: [
    {
      name: 'runaway',
      mode: 'enforce',
      when: { query: 'runaway_*', age: '> 3s' },
      grace: '2s',
      confirm: { observations: 2, apart: '1s' },
      victims: { max: 9 },
      cooldown: '0s',
    },
  ],
};
const user = { basic: { username: 'monitor', password: 'simulated' } };
const decisions = z.object({ items: z.array(z.object({ id: z.string(), outcome: z.string().nullable() })) });

/** A daemon with two good nodes and one that behaves as `become` says. */
async function setUp() {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  let behaviour: EvilBehaviour = noReply;
  const evil = await startTcp((socket) => {
    const path = /(?:GET|POST) (\S+) HTTP/.exec(evil.requests.at(-1) ?? '')?.[1] ?? '/';
    reply(socket, behaviour(path));
  });
  const nodes = simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance }));
  // The daemon reads the limit of its group. Where none can be created, the configuration has the limit.
  const group = createMemoryGroup(512 * mebibyte, onTestFinished);
  const daemon = await startDaemon(
    stringify({
      listen: '127.0.0.1:0',
      ...(group === undefined ? { limits: { memory: '512MiB' } } : {}),
      clusters: [
        {
          name: 'c',
          graphs: ['fraud'],
          // The GSQL server requires a user, and accepts any.
          read_auth: user,
          abort_auth: user,
          nodes: [...nodes, { name: 'evil', url: `http://127.0.0.1:${evil.port}` }],
        },
      ],
      guard,
      collectors: Object.fromEntries(
        collectors.map(({ name, defaults }) => [name, defaults.schedule === undefined ? timing : { enabled: true }]),
      ),
    }),
    onTestFinished,
    { group, preload: new URL('../support/busy-probe.mjs', import.meta.url).href },
  );
  return {
    daemon,
    evil,
    simulator,
    /** Starts a query on a good node that the guard has to abort. */
    startRunaway: (at: number) => {
      const times = { runsFor: 3_600_000, timeout: 3_600_000 };
      const node = at % 2 === 0 ? 'm1' : 'm2';
      return simulator.control.startQuery({ node, graph: 'fraud', query: `runaway_${at}`, ...times })?.requestId;
    },
    /** Requests that the guard decided on, with their outcomes. */
    decisions: async () =>
      decisions.parse(await readJson(`${daemon.url}/api/v1/guard/decisions?limit=1000`)).items.map(Object.values),
    become: (next: EvilBehaviour) => {
      behaviour = next;
    },
    page: async (): Promise<Page> => pageOf((await send(`${daemon.url}/metrics`)).text),
    /** Polls a node with every collector; the evil one never gets a good answer in time. */
    probe: (node: string) => {
      const collector = names.map((name) => `collector=${name}`).join('&');
      const headers = { 'x-prometheus-scrape-timeout-seconds': '2' };
      return send(`${daemon.url}/probe?target=c/${node}&${collector}`, { headers });
    },
  };
}

/** Most memory that a process has ever used, in bytes. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return 1024 * Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]);
}

/** Processor time that the event loop of a daemon was busy without a pause, in ms. */
function busyTimes(output: string): readonly number[] {
  return [...output.matchAll(/^busy (\d+)$/gm)].map(([, time]) => Number(time));
}

it('a node that answers with all kinds of hostile replies stops neither the daemon nor polls and aborts of other nodes', async () => {
  const { daemon, evil, simulator, become, page, probe, startRunaway, ...site } = await setUp();
  expect(evilBehaviours.length).toBeGreaterThanOrEqual(60);
  const atStart = daemon.stdout().length;
  const runaways = new Set<string | undefined>();
  for (const [at, [name, behaviour]] of evilBehaviours.entries()) {
    const asked = evil.requests.length;
    become(behaviour);
    if (at % 5 === 0) runaways.add(startRunaway(at));
    expect((await probe('evil')).status, name).toBe(200);
    expect(evil.requests.length, name).toBeGreaterThan(asked);
    // The replies are made in the process of the simulator, which answers late meanwhile.
    await eventually(`another node is polled in spite of ${name}`, async () => {
      const other = pageOf((await probe('m1')).text);
      return other.value('probe_success') === 1 && (await page()).value('graphdb_up', { node: 'm2' }) === 1;
    });
  }
  const expected = [...runaways].map((id) => [id, 'confirmed']).toSorted();
  await eventually('all runaway queries are aborted', async () => {
    const all = await site.decisions();
    return all.length >= runaways.size && all.every(([, outcome]) => outcome !== null);
  });
  expect((await site.decisions()).toSorted()).toEqual(expected);
  expect(abortCalls(simulator)).toHaveLength(runaways.size);
  const peak = await peakMemory(daemon.pid);
  const busy = Math.max(0, ...busyTimes(daemon.stdout().slice(atStart)));
  process.stdout.write(
    `${evilBehaviours.length} behaviours, peak ${Math.round(peak / mebibyte)} MiB, event loop busy for at most ${busy} ms\n`,
  );
  expect(busy).toBeLessThan(100);
  expect(peak).toBeLessThan(400_000_000);
}, 900_000);
