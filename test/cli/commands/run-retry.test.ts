import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import type { ExitCode } from '../../../src/cli/command.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { retryStart } from '../../../src/cli/commands/run.ts';
import { listenForStop } from '../../../src/cli/signals.ts';
import { ok } from '../../../src/kernel/result.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { eventually } from '../../support/child.ts';
import { testPorts } from '../../support/cli-ports.ts';
import { freePort } from '../../support/free-port.ts';
import { send } from '../../support/http.ts';
import { realWorld } from '../../support/live-ports.ts';

describe('a start that is retried', () => {
  it('continues until it succeeds, and returns the exit code of the daemon', async () => {
    const ports = testPorts();
    const stop = listenForStop(ports.signals);
    const exits: ExitCode[] = [2, 1];
    let made = 0;
    const start = async (): Promise<ExitCode> => {
      made += 1;
      const exit = exits.shift();
      if (exit === undefined) ports.signal('SIGTERM');
      return exit ?? 0;
    };
    const ended = retryStart(start, ports, stop);
    await ports.clock.advance(10_000);
    await ports.clock.advance(10_000);
    expect(await ended).toBe(0);
    expect(made).toBe(3);
    expect(ports.stderr.text()).toBe('graphwarden: retrying in 10 s\n'.repeat(2));
  });

  it('continues after an unexpected error, and reports it', async () => {
    const ports = testPorts();
    const stop = listenForStop(ports.signals);
    const ended = retryStart(() => Promise.reject(new Error('a bug')), ports, stop);
    await ports.clock.advance(10_000);
    ports.signal('SIGTERM');
    expect(await ended).toBe(0);
    expect(ports.stderr.text()).toMatch(/^graphwarden: unexpected error: Error: a bug\n.*retrying in 10 s\n/s);
  });
});

describe('graphwarden run --keep-trying', () => {
  it('logs a new problem, and exits with 0 on a stop signal', async () => {
    const ports = testPorts();
    const exit = runCli(['run', '--config', 'a.yml', '--keep-trying'], commands, ports);
    const rests = async (times: number) =>
      eventually(`rest ${times}`, async () => ports.stderr.text().split('retrying in').length > times);
    await rests(1);
    expect(ports.stderr.text()).toMatch(/cannot read 'a\.yml'/);
    ports.disk.set('a.yml', 'listen: nowhere\n');
    await ports.clock.advance(10_000);
    await rests(2);
    expect(ports.stderr.text()).toMatch(/a\.yml:1:\d+: listen: /);
    expect(ports.listeners('SIGUSR2')).toBe(1);
    ports.signal('SIGTERM');
    expect(await exit).toBe(0);
    expect(ports.listeners('SIGTERM') + ports.listeners('SIGHUP') + ports.listeners('SIGUSR2')).toBe(0);
  });

  it('keeps a pause that is requested while a start fails', async () => {
    const port = await freePort();
    let starts = 0;
    const ports = testPorts({
      loadRuntime: async () => ({
        ...realWorld,
        openStore: async () => {
          starts += 1;
          if (starts > 1) return ok(memoryStore());
          ports.signal('SIGUSR2');
          throw new Error('a bug');
        },
      }),
    });
    const nodes = [{ name: 'm1', url: `http://127.0.0.1:${await freePort()}` }];
    ports.disk.set('a.yml', JSON.stringify({ listen: `127.0.0.1:${port}`, clusters: [{ name: 'prod', nodes }] }));
    const exit = runCli(['run', '--config', 'a.yml', '--keep-trying'], commands, ports);
    await eventually('a rest', async () => ports.stderr.text().includes('retrying in'));
    expect(ports.listeners('SIGUSR2')).toBe(1);
    await ports.clock.advance(10_000);
    // The listener answers before the signal is handled; until the state is known, the guard is paused anyway.
    const guard = await eventually('the pause', async () => {
      const reply = await send(`http://127.0.0.1:${port}/api/v1/guard`);
      return reply.status === 200 && reply.text.includes('"signal"') && reply.text;
    });
    expect(JSON.parse(guard)).toMatchObject({ paused: true, reasons: expect.arrayContaining(['signal']) });
    ports.signal('SIGTERM');
    ports.signal('SIGTERM');
    await exit;
    expect(ports.listeners('SIGUSR2')).toBe(0);
  });

  it('does not retry without --config, because no later change can fix that', async () => {
    expect(await runCli(['run', '--keep-trying'], commands, testPorts())).toBe(2);
  });
});
