import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands.ts';
import type { Clock } from '../../src/kernel/time.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { configFile, livePorts, temporaryFolder } from '../support/live-ports.ts';

const pace = 8;
const begun = systemClock.now();

/** A minute goes by in seconds, for the simulated servers and for us alike. */
const quickClock: Clock = {
  now: () => {
    const { wall, mono } = systemClock.now();
    return { wall: begun.wall + (wall - begun.wall) * pace, mono: mono * pace };
  },
  sleep: (length, signal) => systemClock.sleep(length / pace, signal),
  breathe: () => systemClock.breathe(),
};

const runaway = {
  name: 'runaway',
  when: { age: '> 15s', granted_timeout: '> 5m' },
  confirm: { sightings: 2, apart: '4s' },
  grace: '5s',
};

async function run(...args: readonly string[]) {
  const ports = { ...livePorts(), clock: quickClock };
  const code = await cli(['guard', ...args], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

describe('a recording of a runaway', () => {
  it('shows it as an abort, each time alike, and has asked for none', { timeout: 60_000 }, async () => {
    const options = { nodes: 2, scenario: 'runaway_queries', speed: 4, clockSkew: 7_200_000 } as const;
    const simulator = await startSimulator(options, { listen, clock: quickClock });
    onTestFinished(() => simulator.close());
    const config = await configFile({
      clusters: [{ name: 'prod', nodes: simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance })) }],
      collectors: { queries: { every: '2s', timeout: '2s' } },
      guard: { policies: [runaway] },
    });
    const tape = join(await temporaryFolder(), 'tape.jsonl');
    const recorded = await run('record', '--config', config, '--out', tape, '--for', '60s');
    expect(recorded).toMatchObject({ code: 0, out: expect.stringMatching(/tape\.jsonl: \d\d lists in 1m/) });
    expect(simulator.aborts()).toEqual([]);
    expect(simulator.calls().filter(({ path }) => path.includes('abort'))).toEqual([]);

    const first = await run('replay', '--config', config, tape);
    expect([first.code, first.error]).toEqual([0, '']);
    expect(first.out).toMatch(/ m1 {4}ring_scan on fraud +runaway +\d+s +10m +would abort/);
    expect(first.out).toMatch(/\nrunaway {2}observe {2}\d/);
    expect(first.out).toMatch(/\nring_scan on fraud .* GSQL-TIMEOUT: (?:19|2\d)000\n/);
    expect(await run('replay', '--config', config, tape)).toEqual(first);

    const enforced = await run('replay', '--config', config, tape, '--enforce');
    expect(enforced.out).toMatch(/ m1 {4}ring_scan on fraud +runaway +\d+s +10m +aborted/);
    expect(simulator.aborts()).toEqual([]);
  });
});
