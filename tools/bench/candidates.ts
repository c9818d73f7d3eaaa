import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { eventually, startChild } from '../../test/support/child.ts';
import { freePort } from '../../test/support/free-port.ts';
import { send } from '../../test/support/http.ts';
import { startPrometheus } from '../../test/support/prometheus.ts';
import { requireTool } from '../../test/support/tools.ts';
import { type Candidate, forkServer, forkWithProbe, withFolder } from './candidate.ts';

/** Built program, which `npm run bench` builds first. */
export const program = join(import.meta.dirname, '..', '..', 'dist', 'graphwarden.mjs');

/** Name of the exporter of {@link startRawNode}. */
export const rawNode = 'Node, compressed once per poll';

/** Keys of the configuration of graphwarden that differ between runs of the benchmark. */
export interface GraphwardenConfig {
  readonly scope?: 'node';
  readonly state_url?: string;
  readonly clusters: readonly unknown[];
  readonly collectors: Readonly<Record<string, unknown>>;
  readonly tracker?: Readonly<Record<string, unknown>>;
  readonly alerts?: Readonly<Record<string, unknown>>;
  readonly guard?: Readonly<Record<string, unknown>>;
}

/** Starts graphwarden as users do, with limits that no page of the benchmark exceeds. */
export function startGraphwarden(config: GraphwardenConfig): Promise<Candidate> {
  return withFolder(async (folder): Promise<Candidate> => {
    const port = await freePort();
    const file = join(folder, 'graphwarden.yml');
    const most = 400_000;
    const limits = { series_per_family: most, series_per_collector: most, series_per_page: most };
    const whole = { listen: `127.0.0.1:${port}`, state_dir: join(folder, 'state'), limits, ...config };
    await writeFile(file, stringify(whole));
    const { pid, longestGap, pauseProbe, stop } = forkWithProbe(program, ['run', '--config', file]);
    const url = `http://127.0.0.1:${port}`;
    await eventually('graphwarden is ready', async () => (await send(`${url}/-/ready`)).status === 200, 60_000);
    return {
      name: 'graphwarden',
      url: `${url}/metrics`,
      pid,
      agent: 'graphwarden',
      longestGap,
      pauseProbe,
      stop,
    };
  });
}

/** Starts a Prometheus that scrapes the same upstream, and exposes its series on `/federate`. */
export async function startFederation(upstreamPort: number, every: string): Promise<Candidate> {
  const targets = [`127.0.0.1:${upstreamPort}`];
  const job = { job_name: 'upstream', metrics_path: '/informant/metrics', static_configs: [{ targets }] };
  const prometheus = await startPrometheus([job], every);
  await prometheus.scraped();
  const url = `${prometheus.url}/federate?match[]=${encodeURIComponent('{job="upstream"}')}`;
  return { name: 'Prometheus /federate', url, pid: prometheus.pid, agent: 'Prometheus', stop: () => prometheus.stop() };
}

/** Starts an exporter that only uses prom-client. */
export async function startPromClient(series: number, everyMs: number): Promise<Candidate> {
  const { pid, port, longestGap, pauseProbe, stop } = await forkServer('prom-client-exporter.ts', [
    String(series),
    String(everyMs),
  ]);
  return { name: 'prom-client', url: `http://127.0.0.1:${port}/metrics`, pid, longestGap, pauseProbe, stop };
}

/** Starts an exporter in plain Node that passes the page of the upstream through, compressed once for each poll. */
export async function startRawNode(upstreamPort: number, everyMs: number): Promise<Candidate> {
  const { pid, port, longestGap, pauseProbe, stop } = await forkServer('raw-node-exporter.ts', [
    String(upstreamPort),
    String(everyMs),
  ]);
  const url = `http://127.0.0.1:${port}/metrics`;
  await eventually('the page was polled', async () => (await send(url)).bytes.length > 0);
  return { name: rawNode, url, pid, agent: 'raw-node', longestGap, pauseProbe, stop };
}

/** Starts nginx with the same page in a file, also compressed in advance: the lower bound of the cost. */
export function startNginx(page: Uint8Array): Promise<Candidate> {
  return withFolder(async (folder): Promise<Candidate> => {
    const port = await freePort();
    await writeFile(join(folder, 'metrics'), page);
    await writeFile(join(folder, 'metrics.gz'), gzipSync(page, { level: 1 }));
    await writeFile(join(folder, 'nginx.conf'), nginxConfig(folder, port));
    const child = startChild(requireTool('nginx'), ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']);
    const url = `http://127.0.0.1:${port}/metrics`;
    await eventually('nginx serves', async () => (await send(url)).status === 200);
    return { name: 'nginx, static file', url, pid: child.pid, stop: async () => void (await child.stop()) };
  });
}

function nginxConfig(folder: string, port: number): string {
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  return `daemon off; ${user} worker_processes 1; pid ${folder}/pid; error_log stderr;
events {}
http {
  access_log off; sendfile on; keepalive_requests 100000; ${paths.join(' ')}
  server { listen 127.0.0.1:${port}; root ${folder}; gzip_static on; default_type text/plain; }
}
`;
}
