import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { hashSync } from 'bcryptjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { program } from './support/build-program.ts';
import { type Child, eventually, startChild } from './support/child.ts';
import { freePort } from './support/free-port.ts';
import { send } from './support/http.ts';
import { configFile, temporaryFolder } from './support/live-ports.ts';
import { otlpReceiver } from './support/otlp.ts';
import { roomForNewObjects } from './support/program.ts';

const sources = resolve('bin/graphwarden.mjs');

function graphwarden(args: readonly string[], environment: NodeJS.ProcessEnv = {}, entry = program): Child {
  const env = { PATH: process.env.PATH, ...environment };
  const child = startChild(process.execPath, [...roomForNewObjects, entry, ...args], { env });
  onTestFinished(async () => void (await child.stop()));
  return child;
}

interface Daemon {
  readonly child: Child;
  readonly url: string;
  readonly file: string;
}

async function daemon(): Promise<Daemon> {
  const port = await freePort();
  const nodes = [{ name: 'm1', url: `http://127.0.0.1:${await freePort()}` }];
  const file = await configFile({ listen: `127.0.0.1:${port}`, clusters: [{ name: 'prod', nodes }] });
  return { child: graphwarden(['run', '--config', file]), url: `http://127.0.0.1:${port}`, file };
}

/** Starts a daemon with a user, whose password a worker thread compares. */
async function daemonWithUser(
  entry: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<{ readonly child: Child; readonly url: string }> {
  const port = await freePort();
  const file = await configFile({
    listen: `127.0.0.1:${port}`,
    web_config_file: 'web.yml',
    clusters: [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://127.0.0.1:9' }] }],
  });
  await writeFile(join(dirname(file), 'web.yml'), `basic_auth_users: { alice: ${hashSync('right', 10)} }\n`);
  return { child: graphwarden(['run', '--config', file], environment, entry), url: `http://127.0.0.1:${port}` };
}

async function expectLogin(url: string): Promise<void> {
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

/** Waits until the process handles a signal itself. */
async function untilHandled(signal: 'SIGHUP' | 'SIGUSR2', pid: number): Promise<void> {
  const bit = 1n << BigInt(constants.signals[signal] - 1);
  await eventually(`${signal} is handled`, async () => {
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
  ])('%j exits with %i', async (args, code, stdout, stderr) => {
    const child = graphwarden(args);
    expect(await child.ended).toBe(code);
    expect(child.stdout()).toMatch(stdout);
    expect(child.stderr()).toMatch(stderr);
  });

  it('init does not overwrite a file', async () => {
    const file = join(await temporaryFolder(), 'new.yml');
    expect(await graphwarden(['init', file]).ended).toBe(0);
    expect(await graphwarden(['check-config', file]).ended).toBe(0);
    expect(await graphwarden(['init', file]).ended).toBe(1);
  });
});

/** Moments of a start, in order, with the way to wait for each. */
const startMoments: readonly (readonly [string, (started: Daemon) => Promise<unknown>])[] = [
  ['before anything is loaded', async () => undefined],
  ['when signals are handled', ({ child }) => untilHandled('SIGHUP', child.pid)],
  ['when it opens its state', ({ file }) => eventually('state', async () => readdir(join(dirname(file), 'state')))],
  ['when it listens', ({ child }) => untilLogged(child, '"listening"')],
  ['when a poll failed', ({ child }) => untilLogged(child, '"collector failed"')],
];

async function untilLogged(child: Child, text: string): Promise<void> {
  await eventually(`${text} is logged`, async () => child.stderr().includes(text));
}

describe('signals', () => {
  it('SIGHUP and SIGUSR2 never end it; SIGTERM does, even with a client that stops reading', async () => {
    const started = await daemon();
    const { child, url } = started;
    await untilHandled('SIGUSR2', child.pid);
    for (const [, moment] of startMoments.slice(1)) {
      await moment(started);
      child.kill('SIGHUP');
      child.kill('SIGUSR2');
    }
    await serving(url);
    child.kill('SIGUSR2');
    await serving(url);
    const { port } = new URL(url);
    const lazy = connect(Number(port), '127.0.0.1', () => lazy.write('GET /metrics HTTP/1.1\r\nHost: h\r\n'));
    lazy.on('error', () => {});
    await new Promise((done) => lazy.once('connect', done));
    child.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    expect(child.stderr()).toContain('"stopped"');
    lazy.destroy();
  });

  it.each(startMoments)('SIGTERM %s ends it, by the signal or cleanly', async (_, moment) => {
    const started = await daemon();
    const { child } = started;
    await moment(started);
    child.kill('SIGTERM');
    // A daemon that hangs gives up after nine seconds and ends with 1.
    expect([0, 143]).toContain(await child.ended);
    expect(child.stderr()).not.toContain('unexpected');
  });

  it('SIGHUP reloads the file: an invalid one is logged, a valid one is applied; SIGINT exits with 0', async () => {
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
    child.kill('SIGINT');
    expect(await child.ended).toBe(0);
    expect(child.stderr()).toContain('"stopped"');
  });
});

/** Throws in the middle of the program, once it handles such errors. */
const plantedError = `const timer = setInterval(() => {
  if (process.listenerCount('unhandledRejection') === 0) return;
  clearInterval(timer);
  Promise.reject(new Error('planted'));
}, 20);
`;

it('an unexpected error ends the program with 1 and a log line', async () => {
  const preload = join(await temporaryFolder(), 'preload.mjs');
  await writeFile(preload, plantedError);
  const child = startChild(process.execPath, ['--import', preload, program, 'demo', '--listen', '127.0.0.1:0'], {});
  expect(await child.ended).toBe(1);
  expect(child.stderr()).toMatch(/"message":"planted".*"msg":"unexpected error, exiting"/);
});

it('a checkout runs its sources, and compares passwords in a worker thread, which ends with the daemon', async () => {
  const { child, url } = await daemonWithUser(sources);
  await expectLogin(url);
  child.kill('SIGTERM');
  expect(await child.ended).toBe(0);
});

/** Logs when a module of PostgreSQL is loaded. */
const postgresLog = `import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    const loaded = next(url, context);
    if (/SCRAM-SHA-256|cluster_leases/.test(loaded.source)) process._rawDebug('PostgreSQL is loaded');
    return loaded;
  } });`;

describe('the bundle', () => {
  const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(postgresLog)}` };

  it('compares passwords in a worker thread, and needs only its entry and its chunks, without PostgreSQL', async () => {
    const folder = await temporaryFolder();
    await cp(dirname(program), folder, { recursive: true });
    const { child, url } = await daemonWithUser(join(folder, 'graphwarden.mjs'), environment);
    await expectLogin(url);
    child.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    expect(child.stderr()).toContain('"listening"');
    expect(child.stderr()).not.toContain('PostgreSQL is loaded');
  });

  it('loads PostgreSQL and its driver with a state_url', async () => {
    const clusters = [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://127.0.0.1:9' }] }];
    const state_dir = join(await temporaryFolder(), 'state');
    const file = await configFile({
      listen: '127.0.0.1:0',
      state_dir,
      state_url: 'postgres://u@127.0.0.1:9/d',
      clusters,
    });
    const child = graphwarden(['run', '--config', file], environment);
    await eventually('the driver is loaded', async () => child.stderr().includes('PostgreSQL is loaded'));
    child.kill('SIGKILL');
  });

  it('runs the demo, and sends spans if an endpoint is set', async () => {
    const receiver = await otlpReceiver();
    const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
    const child = graphwarden(['demo', '--listen', '127.0.0.1:0'], traced);
    const url = await eventually('a banner', async () => /metrics +(\S+)\/metrics/.exec(child.stdout())?.[1]);
    await eventually('three nodes', async () => {
      const { text } = await send(`${url}/metrics`);
      return text.match(/^graphdb_up\{.*\} 1$/gm)?.length === 3;
    });
    await eventually('spans of queries', async () => receiver.spans.some(({ name }) => name.startsWith('RUN QUERY')));
    child.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    await receiver.close();
  });
});
