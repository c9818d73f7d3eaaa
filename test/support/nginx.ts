import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { eventually, startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { sendUnchecked } from './http.ts';
import { temporaryFolder } from './live-ports.ts';
import { requireTool } from './tools.ts';

/** Starts nginx as a reverse proxy until the end of the test and returns its URL. `location` has further directives. */
export async function startNginx(upstream: string, location = ''): Promise<string> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const file = join(folder, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
events {}
http {
  access_log off;
  ${kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n  ')}
  server { listen 127.0.0.1:${port}; location / { proxy_pass ${upstream}; ${location} } }
}
`,
  );
  const child = startChild(requireTool('nginx'), ['-p', folder, '-c', file]);
  onTestFinished(async () => {
    expect(await child.stop()).toBe(0);
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually('nginx answers', () =>
    sendUnchecked(url).then(
      () => true,
      () => false,
    ),
  ).catch((error: unknown) => {
    throw new Error(`nginx said ${child.stderr()}`, { cause: error });
  });
  return url;
}
