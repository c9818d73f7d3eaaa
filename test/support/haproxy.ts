import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { eventually, startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { sendUnchecked } from './http.ts';
import { temporaryFolder } from './live-ports.ts';
import { requireTool } from './tools.ts';

/** Starts HAProxy as a reverse proxy until the end of the test and returns its URL. `server` has options of the upstream. */
export async function startHaproxy(upstream: string, server = ''): Promise<string> {
  const port = await freePort();
  const file = join(await temporaryFolder(), 'haproxy.cfg');
  await writeFile(
    file,
    `defaults
  mode http
  timeout connect 30s
  timeout client 60s
  timeout server 60s
  option forwardfor
frontend clients
  bind 127.0.0.1:${port}
  http-request set-header Forwarded for=%[src];host=localhost
  default_backend daemon
backend daemon
  server daemon ${new URL(upstream).host} ${server}
`,
  );
  const child = startChild(requireTool('haproxy'), ['-f', file, '-db']);
  onTestFinished(async () => {
    // The status of a process that ends with SIGTERM.
    expect(await child.stop()).toBe(143);
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually('HAProxy answers', () =>
    sendUnchecked(url).then(
      () => true,
      () => false,
    ),
  ).catch((error: unknown) => {
    throw new Error(`haproxy said ${child.stderr()}`, { cause: error });
  });
  return url;
}
