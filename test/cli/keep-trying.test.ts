import { describe, expect, it } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import type { ExitCode } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { keepTrying } from '../../src/cli/keep-trying.ts';
import { stopRequest } from '../../src/cli/stop-request.ts';
import { ok } from '../../src/kernel/result.ts';
import { memoryStore } from '../../src/runtime/store/memory-store.ts';
import { eventually } from '../support/child.ts';
import { testPorts } from '../support/cli-ports.ts';
import { send } from '../support/http.ts';
import { realWorld } from '../support/live-ports.ts';
import { freePort } from '../support/ports.ts';

describe('a start that is tried again', () => {
  it('goes on until it succeeds, and ends as that one ends', async () => {
    const ports = testPorts();
    const stop = stopRequest(ports.signals);
    const exits: ExitCode[] = [2, 1];
    let made = 0;
    const start = async (): Promise<ExitCode> => {
      made += 1;
      const exit = exits.shift();
      if (exit === undefined) ports.signal('SIGTERM');
      return exit ?? 0;
    };
    const ended = keepTrying(start, ports, stop);
    await ports.clock.advance(10_000);
    await ports.clock.advance(10_000);
    expect(await ended).toBe(0);
    expect(made).toBe(3);
    expect(ports.stderr.text()).toBe('graphwarden: tries again in 10 s\n'.repeat(2));
  });

  it('goes on after an error that nobody foresaw, and says which', async () => {
    const ports = testPorts();
    const stop = stopRequest(ports.signals);
    const ended = keepTrying(() => Promise.reject(new Error('a bug')), ports, stop);
    await ports.clock.advance(10_000);
    ports.signal('SIGTERM');
    expect(await ended).toBe(0);
    expect(ports.stderr.text()).toMatch(/^graphwarden: unexpected error: Error: a bug\n.*tries again in 10 s\n/s);
  });
});

describe('graphwarden run --keep-trying', () => {
  it('says again what is wrong, and ends well when it is asked to stop', async () => {
    const ports = testPorts();
    const exit = cli(['run', '--config', 'a.yml', '--keep-trying'], commands, ports);
    const rests = async (times: number) =>
      eventually(`rest ${times}`, async () => ports.stderr.text().split('tries again').length > times);
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

  it('loses no pause that is asked for while a start fails', async () => {
    const port = await freePort();
    let starts = 0;
    const ports = testPorts({
      world: async () => ({
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
    const exit = cli(['run', '--config', 'a.yml', '--keep-trying'], commands, ports);
    await eventually('a rest', async () => ports.stderr.text().includes('tries again'));
    expect(ports.listeners('SIGUSR2')).toBe(1);
    await ports.clock.advance(10_000);
    const guard = await eventually('an answer', async () => {
      const reply = await send(`http://127.0.0.1:${port}/api/v1/guard`);
      return reply.status === 200 && reply.text;
    });
    expect(JSON.parse(guard)).toMatchObject({ paused: true, reasons: expect.arrayContaining(['signal']) });
    ports.signal('SIGTERM');
    ports.signal('SIGTERM');
    await exit;
    expect(ports.listeners('SIGUSR2')).toBe(0);
  });

  it('does not try again where no file is named: nobody could mend that from outside', async () => {
    expect(await cli(['run', '--keep-trying'], commands, testPorts())).toBe(2);
  });
});
