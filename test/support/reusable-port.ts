import type { BoundListener, Listen } from '../../src/kernel/listener.ts';
import { listen as listenAnywhere } from '../../src/runtime/listener.ts';
import { randomPort } from './free-port.ts';

/**
 * Real listener on a port that the system assigns to no other process while the listener is closed, for servers that stop
 * in a test and start again on the same port.
 */
export const listen: Listen = async (options) => {
  if (options.port !== 0) return listenAnywhere(options);
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const listening = await tryPort(options, randomPort());
    if (listening !== undefined) return listening;
  }
  throw new Error('no free port was found');
};

async function tryPort(options: Parameters<Listen>[0], port: number): Promise<BoundListener | undefined> {
  try {
    return await listenAnywhere({ ...options, port });
  } catch {
    return undefined;
  }
}
