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
import { type EvilBehaviour, pathOf, sendEvilReply } from './evil-reply.ts';
import { evilSettings, probeOf } from './evil-settings.ts';

const noReply: EvilBehaviour = () => ({ pieces: [] });

/** A daemon with two good nodes and one that behaves as `become` says. */
export async function startEvilCluster({ guard = {} }: { readonly guard?: Readonly<Record<string, unknown>> } = {}) {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  let behaviour: EvilBehaviour = noReply;
  const evil = await startTcp((socket) => {
    sendEvilReply(socket, behaviour(pathOf(evil.requests.at(-1) ?? '') ?? '/'));
  });
  // Replies may use as much memory as with a limit of 512 MiB; the process may exceed that, and is ended far beyond it.
  const group = createMemoryGroup(1024 * 1_048_576, onTestFinished);
  const daemon = await startDaemon(
    stringify(evilSettings(simulator.nodes, evil.port, { limits: { memory: '512MiB' }, guard })),
    onTestFinished,
    // As the image and the unit of systemd start it.
    {
      group,
      measuresMemory: true,
      env: { ...process.env, MALLOC_ARENA_MAX: '2' },
      preload: new URL('../support/busy-probe.mjs', import.meta.url).href,
    },
  );
  return {
    daemon,
    evil,
    simulator,
    become: (next: EvilBehaviour) => {
      behaviour = next;
    },
    page: async (): Promise<Page> => pageOf((await send(`${daemon.url}/metrics`)).text),
    /** Polls a node with collectors, by default with all. */
    probe: (node: string, names?: readonly string[]) => {
      const { path, headers } = probeOf(node, names);
      return send(`${daemon.url}${path}`, { headers });
    },
  };
}
