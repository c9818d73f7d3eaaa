import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { startDaemon } from '../support/daemon.ts';
import { send } from '../support/http.ts';
import { type Page, pageOf } from '../support/in-process-daemon.ts';
import { createMemoryGroup } from '../support/memory-group.ts';
import { startTcp } from '../support/tcp-server.ts';
import { watchingCollectors as collectors } from '../support/watching-collectors.ts';
import type { EvilBehaviour, EvilReply } from './evil-replies.ts';

/** Names of all collectors. */
export const collectorNames: readonly string[] = collectors.map(({ name }) => name);
/** Often, and long enough for the answer of a good node on a busy machine. */
const timing = { interval: '3s', timeout: '3s' };
/** Seconds for a probe: the evil one never gives a good answer, and a good one gives it late on a busy machine. */
const probeTime = { evil: 2, good: 20 };

function reply(socket: Socket, { pieces, hangs = false, drips = false }: EvilReply): void {
  for (const piece of pieces) socket.write(piece);
  const last = pieces.at(-1);
  if (!hangs) socket.end();
  if (!drips || last === undefined) return;
  const timer = setInterval(() => socket.writableNeedDrain || socket.write(last), 5);
  socket.once('close', () => clearInterval(timer));
}

const noReply: EvilBehaviour = () => ({ pieces: [] });

/** The GSQL server requires a user, and accepts any. */
const user = { basic: { username: 'monitor', password: 'simulated' } };

/** A daemon with two good nodes and one that behaves as `become` says. */
export async function startEvilCluster({ guard = {} }: { readonly guard?: Readonly<Record<string, unknown>> } = {}) {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  let behaviour: EvilBehaviour = noReply;
  const evil = await startTcp((socket) => {
    const path = /(?:GET|POST) (\S+) HTTP/.exec(evil.requests.at(-1) ?? '')?.[1] ?? '/';
    reply(socket, behaviour(path));
  });
  const nodes = simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance }));
  // Replies may use as much memory as with a limit of 512 MiB; the process may exceed that, and is ended far beyond it.
  const group = createMemoryGroup(1024 * 1_048_576, onTestFinished);
  const daemon = await startDaemon(
    stringify({
      listen: '127.0.0.1:0',
      limits: { memory: '512MiB' },
      clusters: [
        {
          name: 'c',
          graphs: ['fraud'],
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
    become: (next: EvilBehaviour) => {
      behaviour = next;
    },
    page: async (): Promise<Page> => pageOf((await send(`${daemon.url}/metrics`)).text),
    /** Polls a node with every collector. */
    probe: (node: string) => {
      const collector = collectorNames.map((name) => `collector=${name}`).join('&');
      const seconds = node === 'evil' ? probeTime.evil : probeTime.good;
      const headers = { 'x-prometheus-scrape-timeout-seconds': String(seconds) };
      return send(`${daemon.url}/probe?target=c/${node}&${collector}`, { headers });
    },
  };
}
