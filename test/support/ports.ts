import { createServer } from 'node:net';

/** Below the ports that the system gives away unasked: to whoever listens on port 0, and to outgoing connections. */
const lowest = 20_000;
const highest = 32_000;

/** A number that nobody is given by chance; somebody may have asked for it. */
export function drawPort(): number {
  return lowest + Math.floor(Math.random() * (highest - lowest));
}

/** A port of loopback that nobody listened on a moment ago, and that nobody is given by chance meanwhile. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = drawPort();
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
