import type { Listen, Listening } from '../../src/kernel/listener.ts';
import { listen as listenAnywhere } from '../../src/runtime/listener.ts';
import { drawPort } from './ports.ts';

/**
 * Listens like the real listener, but on a port that nobody else is given by chance while it is closed: for
 * servers that go away in a test and come back under the same number.
 */
export const listen: Listen = async (options) => {
  if (options.port !== 0) return listenAnywhere(options);
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const listening = await tryPort(options, drawPort());
    if (listening !== undefined) return listening;
  }
  throw new Error('no free port was found');
};

async function tryPort(options: Parameters<Listen>[0], port: number): Promise<Listening | undefined> {
  try {
    return await listenAnywhere({ ...options, port });
  } catch {
    return undefined;
  }
}
