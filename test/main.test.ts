import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { hashSync } from 'bcryptjs';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Child, eventually, startChild } from './support/child.ts';
import { freePort } from './support/free-port.ts';
import { send } from './support/http.ts';
import { configFile, temporaryFolder } from './support/live-ports.ts';
import { otlpReceiver } from './support/otlp.ts';

const main = resolve('src/main.ts');

function graphwarden(args: readonly string[], program = main, environment: NodeJS.ProcessEnv = {}): Child {
  const child = startChild(process.execPath, [program, ...args], { env: { PATH: process.env.PATH, ...environment } });
  onTestFinished(async () => void (await child.stop()));
  return child;
}

async function daemon(program = main): Promise<{ readonly child: Child; readonly url: string; readonly file: string }> {
  const port = await freePort();
  const nodes = [{ name: 'm1', url: `http://127.0.0.1:${await freePort()}` }];
  const file = await configFile({ listen: `127.0.0.1:${port}`, clusters: [{ name: 'prod', nodes }] });
  return { child: graphwarden(['run', '--config', file], program), url: `http://127.0.0.1:${port}`, file };
}

/** A daemon with a user whose password takes a worker to compare. */
async function guardedDaemon(program = main): Promise<{ readonly child: Child; readonly url: string }> {
  const port = await freePort();
  const file = await configFile({
    listen: `127.0.0.1:${port}`,
    web_config_file: 'web.yml',
    clusters: [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://127.0.0.1:9' }] }],
  });
  await writeFile(join(dirname(file), 'web.yml'), `basic_auth_users: { alice: ${hashSync('right', 10)} }\n`);
  return { child: graphwarden(['run', '--config', file], program), url: `http://127.0.0.1:${port}` };
}

async function logsIn(url: string): Promise<void> {
  await serving(url);
  expect((await send(`${url}/metrics`, as('wrong'))).status).toBe(401);
  expect((await send(`${url}/metrics`, as('right'))).status).toBe(200);
}

function as(password: string) {
  return { headers: { authorization: `Basic ${Buffer.from(`alice:${password}`).toString('base64')}` } };
}

async function serving(url: string): Promise<void> {
  await eventually(`${url} to serve`, async () => (await send(`${url}/-/healthy`)).status === 200);
}

/** Waits until the process has taken a signal out of the hands of the system. */
async function untilTaken(signal: 'SIGHUP' | 'SIGUSR2', pid: number): Promise<void> {
  const bit = 1n << BigInt(constants.signals[signal] - 1);
  await eventually(`${signal} is taken`, async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return (BigInt(`0x${/SigCgt:\s*(\w+)/.exec(status)?.[1] ?? '0'}`) & bit) === bit;
  });
}

describe('exit codes', () => {
  it.each([
    [['--version'], 0, /^graphwarden \d+\.\d+\.\d+ \(commit \w+\)\n$/, /^$/],
    [['--help'], 0, /Commands:/, /^$/],
    [['doctor', '--help'], 0, /Usage: graphwarden doctor/, /^$/],
    [[], 2, /^$/, /graphwarden demo/],
    [['rnu'], 2, /^$/, /Did you mean run\?/],
    [['run', '--confg', 'x'], 2, /^$/, /Did you mean --config\?/],
    [['check-config', '/nowhere.yml'], 2, /no such file/, /^$/],
    [['healthcheck', '--url', 'http://127.0.0.1:9'], 1, /^$/, /not healthy/],
  ])('%j gives %i', async (args, code, stdout, stderr) => {
    const child = graphwarden(args);
    expect(await child.ended).toBe(code);
    expect(child.stdout()).toMatch(stdout);
    expect(child.stderr()).toMatch(stderr);
  });

  it('init writes once', async () => {
    const file = join(await temporaryFolder(), 'new.yml');
    expect(await graphwarden(['init', file]).ended).toBe(0);
    expect(await graphwarden(['check-config', file]).ended).toBe(0);
    expect(await graphwarden(['init', file]).ended).toBe(1);
  });
});

describe('signals', () => {
  it.each([100, 200, 300])('SIGHUP %i ms after the start does not end it', async (after) => {
    const { child, url } = await daemon();
    await untilTaken('SIGHUP', child.pid);
    await new Promise((done) => setTimeout(done, after));
    child.kill('SIGHUP');
    await serving(url);
  });

  it('SIGUSR2 ends nothing, neither at the start nor later', async () => {
    const { child, url } = await daemon();
    await untilTaken('SIGUSR2', child.pid);
    child.kill('SIGUSR2');
    await serving(url);
    child.kill('SIGUSR2');
    await serving(url);
    child.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('%s ends a serving daemon with 0', async (signal) => {
    const { child, url } = await daemon();
    await serving(url);
    child.kill(signal);
    expect(await child.ended).toBe(0);
    expect(child.stderr()).toContain('"stopped"');
  });

  it.each([0, 100, 200, 300, 400, 600])(
    'SIGTERM %i ms after the start ends it, by the signal or cleanly',
    async (after) => {
      const { child } = await daemon();
      await new Promise((done) => setTimeout(done, after));
      child.kill('SIGTERM');
      // One that hangs gives up after nine seconds, and ends with 1.
      expect([0, 143]).toContain(await child.ended);
      expect(child.stderr()).not.toContain('unexpected');
    },
  );

  it('SIGTERM ends it although a client never reads on', async () => {
    const { child, url } = await daemon();
    await serving(url);
    const { port } = new URL(url);
    const lazy = connect(Number(port), '127.0.0.1', () => lazy.write('GET /metrics HTTP/1.1\r\nHost: h\r\n'));
    lazy.on('error', () => {});
    await new Promise((done) => lazy.once('connect', done));
    child.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    lazy.destroy();
  });

  it('SIGHUP reloads the file: a wrong one is named, a right one is taken', async () => {
    const { child, url, file } = await daemon();
    await serving(url);
    await writeFile(file, 'clusters: wrong\n');
    child.kill('SIGHUP');
    await eventually('a refusal', async () => child.stderr().includes('config reload failed'));
    expect((await send(`${url}/-/healthy`)).status).toBe(200);
    await writeFile(
      file,
      `listen: 127.0.0.1:${new URL(url).port}\nclusters: [{ name: other, nodes: [{ name: m1, url: "http://127.0.0.1:9" }] }]\n`,
    );
    child.kill('SIGHUP');
    await eventually('a reload', async () => child.stderr().includes('"config reloaded"'));
    await eventually('the new cluster', async () =>
      (await send(`${url}/metrics`)).text.includes('cluster_name="other"'),
    );
  });
});

/** What goes wrong in the middle of the program, once it has taken such things into its hands. */
const secrets = `const timer = setInterval(() => {
  if (process.listenerCount('unhandledRejection') === 0) return;
  clearInterval(timer);
  Promise.reject(new Error('planted'));
}, 20);
`;

it('what no code foresaw ends the program with 1 and a log line', async () => {
  const folder = await temporaryFolder();
  const preload = join(folder, 'preload.mjs');
  await writeFile(preload, secrets);
  const port = await freePort();
  const file = await configFile({
    listen: `127.0.0.1:${port}`,
    clusters: [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://127.0.0.1:9' }] }],
  });
  const child = startChild(process.execPath, ['--import', preload, main, 'run', '--config', file], {});
  expect(await child.ended).toBe(1);
  expect(child.stderr()).toMatch(/"message":"planted".*"msg":"unexpected error, exiting"/);
});

it('compares passwords in a worker, which ends with it', async () => {
  const { child, url } = await guardedDaemon();
  await logsIn(url);
  child.kill('SIGTERM');
  expect(await child.ended).toBe(0);
});

describe('the bundle', () => {
  let bundle = '';
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bundle-'));
    bundle = join(folder, 'graphwarden.mjs');
    expect(await startChild(process.execPath, ['tools/build/bundle.ts', bundle], {}).ended).toBe(0);
    return () => rm(folder, { recursive: true });
  });

  it('is one file that serves from a folder of its own, beside one that only those load who trace', async () => {
    expect(await readdir(dirname(bundle))).toEqual(['graphwarden-telemetry.mjs', 'graphwarden.mjs']);
    expect(await graphwarden(['--version'], bundle).ended).toBe(0);
    const { child, url } = await daemon(bundle);
    await serving(url);
    expect((await send(`${url}/metrics`)).text).toContain('graphwarden_build_info');
    child.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  });

  it('compares passwords in a worker, which is the same file', async () => {
    const { child, url } = await guardedDaemon(bundle);
    await logsIn(url);
    child.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  });

  it('sends spans where an endpoint is named, by the file beside it', async () => {
    const receiver = await otlpReceiver();
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
    const child = graphwarden(['demo', '--listen', '127.0.0.1:0'], bundle, environment);
    await eventually('spans of queries', async () => receiver.spans.some(({ name }) => name.startsWith('RUN QUERY')));
    child.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    await receiver.close();
  }, 180_000);

  it('runs the demo as well', async () => {
    const child = graphwarden(['demo', '--listen', '127.0.0.1:0'], bundle);
    const url = await eventually('a banner', async () => /metrics +(\S+)\/metrics/.exec(child.stdout())?.[1]);
    await eventually('three nodes', async () => {
      const { text } = await send(`${url}/metrics`);
      return text.match(/^graphdb_up\{.*\} 1$/gm)?.length === 3;
    });
  });
});
