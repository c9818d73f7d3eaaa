import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { collectors } from '../../src/collect/all.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { startDaemon } from '../support/daemon.ts';
import { send } from '../support/http.ts';
import { type Page, pageOf } from '../support/in-process-daemon.ts';
import { createMemoryGroup } from '../support/memory-group.ts';
import { startTcp } from '../support/tcp-server.ts';
import { type EvilBehaviour, type EvilReply, evilBehaviours } from './evil-replies.ts';

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

/** A daemon with two good nodes and one that behaves as `become` says. */
async function setUp() {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  let behaviour: EvilBehaviour = noReply;
  const evil = await startTcp((socket) => {
    const path = /(?:GET|POST) (\S+) HTTP/.exec(evil.requests.at(-1) ?? '')?.[1] ?? '/';
    reply(socket, behaviour(path));
  });
  const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
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
          read_auth: { basic: { username: 'monitor', password: 'simulated' } },
          nodes: [...nodes, { name: 'evil', url: `http://127.0.0.1:${evil.port}` }],
        },
      ],
      collectors: Object.fromEntries(
        collectors.map(({ name, defaults }) => [name, defaults.schedule === undefined ? timing : { enabled: true }]),
      ),
    }),
    onTestFinished,
    { group },
  );
  return {
    daemon,
    evil,
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

it('a node that answers with all kinds of hostile replies stops neither the daemon nor the polls of other nodes', async () => {
  const { daemon, evil, become, page, probe } = await setUp();
  expect(evilBehaviours.length).toBeGreaterThanOrEqual(60);
  const stalls: [number, string][] = [];
  for (const [name, behaviour] of evilBehaviours) {
    const asked = evil.requests.length;
    become(behaviour);
    expect((await probe('evil')).status, name).toBe(200);
    expect(evil.requests.length, name).toBeGreaterThan(asked);
    // The replies are made in the process of the simulator, which answers late meanwhile.
    const now = await eventually(`another node is polled in spite of ${name}`, async () => {
      const other = pageOf((await probe('m1')).text);
      const all = await page();
      return other.value('probe_success') === 1 && all.value('graphdb_up', { node: 'm2' }) === 1 && all;
    });
    stalls.push([now.value('graphwarden_event_loop_max_lag_seconds') ?? Number.NaN, name]);
  }
  const peak = await peakMemory(daemon.pid);
  const [longest] = stalls.toSorted(([one], [other]) => other - one);
  // Times are reported and not asserted, because they differ too much between machines.
  process.stdout.write(
    `${evilBehaviours.length} behaviours, peak ${Math.round(peak / mebibyte)} MiB, longest gap ${longest?.join(' s: ')}\n`,
  );
  expect(peak).toBeLessThan(400_000_000);
}, 600_000);
