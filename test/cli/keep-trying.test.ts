import { describe, expect, it } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import type { ExitCode } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { keepTrying } from '../../src/cli/keep-trying.ts';
import { stopRequest } from '../../src/cli/stop-request.ts';
import { eventually } from '../support/child.ts';
import { testPorts } from '../support/cli-ports.ts';

describe('a start that is tried again', () => {
  it('goes on until it succeeds, and ends as that one ends', async () => {
    const ports = testPorts();
    const stop = stopRequest(ports.signals);
    const exits: ExitCode[] = [2, 1];
    const alive: string[] = [];
    let made = 0;
    const begin = () => {
      made += 1;
      const name = `attempt ${made}`;
      alive.push(name);
      return {
        run: async (): Promise<ExitCode> => {
          const exit = exits.shift();
          if (exit === undefined) ports.signal('SIGTERM');
          return exit ?? 0;
        },
        release: () => void alive.splice(alive.indexOf(name), 1),
      };
    };
    const ended = keepTrying(begin, ports, stop);
    await ports.clock.advance(10_000);
    // The next one is there before the rest begins: a signal in between is its own.
    expect(alive).toEqual(['attempt 3']);
    await ports.clock.advance(10_000);
    expect(await ended).toBe(0);
    expect([made, alive]).toEqual([3, []]);
    expect(ports.stderr.text()).toBe('graphwarden: tries again in 10 s\n'.repeat(2));
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

  it('does not try again where no file is named: nobody could mend that from outside', async () => {
    expect(await cli(['run', '--keep-trying'], commands, testPorts())).toBe(2);
  });
});
