import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { requireTool } from '../tools.ts';
import { gateway, networkPath } from './places.ts';

function ip(commands: readonly string[], namespace?: string): void {
  const within = namespace === undefined ? [] : ['-netns', namespace];
  execFileSync(requireTool('ip'), [...within, '-batch', '-'], { input: `${commands.join('\n')}\n` });
}

/** Creates the bridge that connects all pods. */
export function openNetwork(): void {
  mkdirSync('/run/netns', { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns']);
  ip([
    'link set lo up',
    'link add br0 type bridge',
    `address add ${gateway}/16 dev br0`,
    'link set br0 up',
    // The API server needs a route for the range of service addresses to find its own address.
    'route add 10.96.0.0/16 dev br0',
  ]);
}

let last = 10;

/** A network namespace with an address on the bridge. */
export interface PodNetwork {
  readonly address: string;
  readonly path: string;
  close(): void;
}

/** Creates the network of a pod. */
export function openPodNetwork(name: string): PodNetwork {
  last += 1;
  const link = `v${last}`;
  const address = `10.244.${Math.floor(last / 250) + 1}.${(last % 250) + 1}`;
  ip([
    `netns add ${name}`,
    `link add ${link} type veth peer name eth0 netns ${name}`,
    `link set ${link} master br0 up`,
  ]);
  ip(
    ['link set lo up', `address add ${address}/16 dev eth0`, 'link set eth0 up', `route add default via ${gateway}`],
    name,
  );
  return { address, path: networkPath(name), close: () => ip([`netns delete ${name}`]) };
}
