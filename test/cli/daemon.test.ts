import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchInterval } from '../../src/cli/config-reload.ts';
import { type ConfigFile, runDaemon } from '../../src/cli/daemon.ts';
import type { CliPorts, RuntimePorts } from '../../src/cli/ports.ts';
import { readConfig, readConfigFile } from '../../src/cli/read-config.ts';
import { listenForSignal, listenForStop } from '../../src/cli/signals.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { eventually } from '../support/child.ts';
import { type TestPorts, testPorts } from '../support/cli-ports.ts';
import { send } from '../support/http.ts';
import { realWorld, temporaryFolder, volatileWorld } from '../support/live-ports.ts';
import { recordingLogger } from '../support/logger.ts';
import { fixedReply, serve } from '../support/served-listener.ts';

const file = 'graphwarden.yml';

function settings(more: Readonly<Record<string, unknown>> = {}): string {
  const nodes = [{ name: 'm1', url: 'http://127.0.0.1:9' }];
  return JSON.stringify({ listen: '127.0.0.1:0', clusters: [{ name: 'prod', nodes }], ...more });
}

async function config(ports: CliPorts) {
  const read = await readConfig(file, ports);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

const when = { age: '> 10m' };
const enforcing = { mode: 'enforce', policies: [{ name: 'runaway', mode: 'enforce', when }] };
const observing = { ...enforcing, mode: 'observe' };

interface Running {
  readonly ports: TestPorts;
  readonly url: string;
  readonly exit: Promise<number>;
  readonly log: ReturnType<typeof recordingLogger>;
  readonly levels: readonly string[];
}

async function configFile(ports: TestPorts): Promise<ConfigFile> {
  const reload = listenForSignal(ports.signals, 'SIGHUP');
  return { path: file, stamp: await ports.files.stamp(file), text: ports.disk.get(file), reload };
}

/** A daemon on a fake clock: polling stands still unless a test moves it, serving is real. */
async function running(runtime: RuntimePorts = volatileWorld, ports = testPorts(), more = {}): Promise<Running> {
  ports.disk.set(file, settings(more));
  const log = recordingLogger();
  const levels: string[] = [];
  const started = Promise.withResolvers<string>();
  const stop = listenForStop(ports.signals);
  const exit = runDaemon(
    {
      config: await config(ports),
      log: { log, setLevel: (level) => levels.push(level) },
      load: () => readConfigFile(file, ports),
      file: await configFile(ports),
      onListening: started.resolve,
    },
    ports,
    runtime,
    stop,
  );
  onTestFinished(async () => {
    ports.signal('SIGTERM');
    ports.signal('SIGTERM');
    await exit;
  });
  return { ports, url: await started.promise, exit, log, levels };
}

async function reloadMetrics(url: string): Promise<string | undefined> {
  const { text } = await send(`${url}/metrics`);
  return /^graphwarden_config_last_reload_successful (\d)$/m.exec(text)?.[1];
}

/** A reload ends when the application has settled, which takes turns that no clock counts. */
async function says(daemon: Running, expected: readonly string[]): Promise<void> {
  await eventually('the reload is over', async () => messages(daemon).length >= expected.length);
  expect(messages(daemon)).toEqual(expected);
}

function messages({ log }: Running): readonly string[] {
  return log.lines
    .map(({ message }) => message)
    .filter((message) => /reload|restart|guard mode|listen|stop|shutdown/.test(message));
}

it('a failed start closes everything that it opened', async () => {
  const ports = testPorts();
  ports.disk.set(file, settings());
  const store = memoryStore();
  let closed = 0;
  const close = async () => {
    closed += 1;
    await store.close();
  };
  const runtime: RuntimePorts = {
    ...realWorld,
    openStore: async () => ok({ ...store, close }),
    createSelfMetrics: () => {
      throw new Error('a bug');
    },
  };
  const log = { log: recordingLogger(), setLevel: () => undefined };
  const options = { config: await config(ports), log, load: () => readConfigFile(file, ports) };
  await expect(runDaemon(options, ports, runtime, listenForStop(ports.signals))).rejects.toThrow('a bug');
  expect(closed).toBe(1);
});

describe('a reload', () => {
  it('follows SIGHUP', async () => {
    const daemon = await running();
    daemon.ports.disk.set(file, settings({ log: { level: 'debug' } }));
    daemon.ports.signal('SIGHUP');
    await says(daemon, ['listening', 'config reloaded']);
    expect(daemon.levels).toEqual(['debug']);
    expect(await reloadMetrics(daemon.url)).toBe('1');
  });

  it('follows a SIGHUP that arrives before the daemon serves', async () => {
    const ports = testPorts();
    const hasty: RuntimePorts = {
      ...volatileWorld,
      openStore: (options) => {
        ports.signal('SIGHUP');
        return volatileWorld.openStore(options);
      },
    };
    const daemon = await running(hasty, ports);
    await says(daemon, ['listening', 'config reloaded']);
  });

  it('follows POST /-/reload over the socket, returns problems, and is refused over TCP', async () => {
    const folder = await temporaryFolder();
    const { ports, url } = await running(volatileWorld, testPorts(), { state_dir: folder });
    const reload = () =>
      send('http://localhost/-/reload', { method: 'POST', socketPath: join(folder, 'control.sock') });
    expect((await reload()).status).toBe(200);
    ports.disk.set(file, settings({ lisen: 'x' }));
    const refused = await reload();
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('lisen');
    expect(await reloadMetrics(url)).toBe('0');
    ports.disk.set(file, settings());
    expect((await reload()).status).toBe(200);
    expect((await send(`${url}/-/reload`, { method: 'POST' })).status).toBe(403);
    expect(await reloadMetrics(url)).toBe('1');
  });

  it('follows a change of the file', async () => {
    const daemon = await running();
    await daemon.ports.clock.advance(watchInterval);
    daemon.ports.disk.set(file, settings({ listen: '127.0.0.1:1234' }));
    await daemon.ports.clock.advance(3 * watchInterval);
    await says(daemon, ['listening', 'setting change requires a restart', 'config reloaded']);
  });

  it('does not enforce with a guard whose state is in memory', async () => {
    const ports = testPorts();
    const daemon = await running(volatileWorld, ports, { scope: 'node' });
    ports.disk.set(file, settings({ scope: 'node', guard: enforcing }));
    ports.signal('SIGHUP');
    await says(daemon, ['listening', 'setting change requires a restart', 'guard mode not changed', 'config reloaded']);
    await ports.clock.advance(1000);
    const modes = (await send(`${daemon.url}/metrics`)).text.match(/^graphwarden_guard_mode.* 1$/gm);
    expect(modes).toEqual(['graphwarden_guard_mode{cluster_name="prod",policy="runaway",mode="observe"} 1']);
  });

  it('does not fail concurrent scrapes', async () => {
    const { ports, url } = await running();
    const scrapes: Promise<number>[] = [];
    for (let round = 0; round < 100; round += 1) {
      ports.disk.set(file, round % 2 === 0 ? settings({ log: { level: 'warn' } }) : 'clusters: wrong');
      ports.signal('SIGHUP');
      scrapes.push(send(`${url}/metrics`).then(({ status }) => status));
      await ports.clock.yieldToEventLoop();
    }
    expect(new Set(await Promise.all(scrapes))).toEqual(new Set([200]));
  });
});

function stuck(): RuntimePorts {
  return {
    ...volatileWorld,
    openDaemonListener: async (options) => {
      const front = await realWorld.openDaemonListener(options);
      if (!front.ok) return front;
      onTestFinished(() => front.value.close(0));
      return ok({ ...front.value, close: () => new Promise(() => {}) });
    },
  };
}

describe('SIGUSR2', () => {
  it('does not end the daemon, and keeps its handler until the daemon stops', async () => {
    const { ports, url, exit } = await running();
    ports.signal('SIGUSR2');
    expect((await send(`${url}/-/healthy`)).status).toBe(200);
    expect(ports.listeners('SIGUSR2')).toBe(1);
    ports.signal('SIGTERM');
    expect(await exit).toBe(0);
    expect(ports.listeners('SIGUSR2')).toBe(0);
  });
});

describe('stopping', () => {
  it('logs the stop, closes the listener and returns 0', async () => {
    const daemon = await running();
    daemon.ports.signal('SIGTERM');
    expect(await daemon.exit).toBe(0);
    expect(messages(daemon)).toEqual(['listening', 'stopping', 'stopped']);
    await expect(send(daemon.url)).rejects.toThrow('ECONNREFUSED');
    expect(daemon.ports.listeners('SIGHUP')).toBe(0);
    await daemon.ports.clock.settle();
    expect(daemon.ports.clock.sleeping).toBe(0);
  });

  it('ends after nine seconds although a step hangs, and logs that', async () => {
    const daemon = await running(stuck());
    daemon.ports.signal('SIGTERM');
    await daemon.ports.clock.advance(9_000);
    expect(await daemon.exit).toBe(1);
    expect(messages(daemon)).toContain('shutdown timed out');
  });

  it('ends at once on a second signal', async () => {
    const daemon = await running(stuck());
    daemon.ports.signal('SIGTERM');
    await daemon.ports.clock.settle();
    daemon.ports.signal('SIGINT');
    expect(await daemon.exit).toBe(1);
  });
});

it('the daemon logs the reason of a listen failure, and exits with 1', async () => {
  const ports = testPorts();
  const squatter = await serve(fixedReply({}));
  ports.disk.set(file, settings({ listen: `127.0.0.1:${squatter.port}` }));
  const log = { log: recordingLogger(), setLevel: () => {} };
  const load = () => readConfigFile(file, ports);
  const options = { config: await config(ports), log, load, bindHint: 'Try another.\n' };
  expect(await runDaemon(options, ports, volatileWorld, listenForStop(ports.signals))).toBe(1);
  expect(ports.stderr.text()).toMatch(
    /cannot listen on 127\.0\.0\.1:\d+: address already in use; .*\nTry another\.\n$/,
  );
});

it('the daemon does not start with the state of another running daemon', async () => {
  const ports = testPorts();
  ports.disk.set(file, settings());
  const options = {
    config: await config(ports),
    log: { log: recordingLogger(), setLevel: () => undefined },
    load: () => readConfigFile(file, ports),
    file: await configFile(ports),
  };
  const held: RuntimePorts = {
    ...realWorld,
    openStore: async ({ folder }) => err({ kind: 'locked', message: `another daemon holds ${folder}` }),
  };
  expect(await runDaemon(options, ports, held, listenForStop(ports.signals))).toBe(1);
  expect(ports.stderr.text()).toBe('graphwarden: another daemon holds ./state\n');
});

it.each([
  ['where the configuration is no file', {}, [false, 1, undefined]],
  ['where only one node is looked at', { scope: 'node' }, [true, 1, undefined]],
  ['where queries of one node are aborted', { scope: 'node', guard: enforcing }, [false, 1, './state']],
  ['where they may be aborted later', { scope: 'node', guard: observing }, [false, 1, './state']],
  ['of a file', {}, [false, 1, './state']],
])('the daemon tunes the engine, and keeps the state in the folder, %s', async (what, more, expected) => {
  const ports = testPorts();
  ports.disk.set(file, settings(more));
  const seen: unknown[] = [];
  const runtime: RuntimePorts = {
    ...realWorld,
    enableOptimizer: (whenBusy) => void seen.push(whenBusy),
    tuneForFleet: (nodes) => void seen.push(nodes),
    openStore: async (options) => {
      seen.push(options.folder);
      return err({ kind: 'newer', message: 'no' });
    },
  };
  const options = {
    config: await config(ports),
    log: { log: recordingLogger(), setLevel: () => undefined },
    load: () => readConfigFile(file, ports),
    ...(what.includes('no file') ? {} : { file: await configFile(ports) }),
  };
  expect(await runDaemon(options, ports, runtime, listenForStop(ports.signals))).toBe(1);
  expect(seen).toEqual(expected);
});
