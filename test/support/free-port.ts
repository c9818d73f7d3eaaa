import { createServer } from 'node:net';

/** Range below the ports that the system assigns to listeners on port 0 and to outgoing connections. */
const lowest = 20_000;
const highest = 32_000;

/** Returns a port that the system does not assign by chance; a process may still use it. */
export function randomPort(): number {
  return lowest + Math.floor(Math.random() * (highest - lowest));
}

/** Returns a loopback port that was free at the time of the check and that the system does not assign by chance. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = randomPort();
    if (await isFree(port)) return port;
  }
  throw new Error('no free port was found');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
