import { readFile } from 'node:fs/promises';
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

/** A day goes by in three hours, for the simulated servers and for us alike. */
const quickClock: Clock = {
  now: () => {
    const { wall, mono } = systemClock.now();
    return { wall: begun.wall + (wall - begun.wall) * pace, mono: mono * pace };
  },
  sleep: (length, signal) => systemClock.sleep(length / pace, signal),
  breathe: () => systemClock.breathe(),
};
const begun = systemClock.now();

const runaway = {
  name: 'runaway',
  when: { age: '> 15s', granted_timeout: '> 1m' },
  confirm: { sightings: 2, apart: '4s' },
  grace: '5s',
};

async function run(...args: readonly string[]) {
  const ports = { ...livePorts(), clock: quickClock };
  const code = await cli(['guard', ...args], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

describe('a recording of a runaway', () => {
  it('shows it as an abort, each time alike, and asks for none', { timeout: 60_000 }, async () => {
    const options = { nodes: 2, scenario: 'runaway_queries', speed: 4, clockSkew: 7_200_000 } as const;
    const simulator = await startSimulator(options, { listen, clock: quickClock });
    onTestFinished(() => simulator.close());
    const config = await configFile({
      clusters: [{ name: 'prod', nodes: simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance })) }],
      collectors: { queries: { every: '2s', timeout: '2s' } },
      guard: { policies: [runaway] },
    });
    const tape = join(await temporaryFolder(), 'tape.jsonl');
    const recorded = await run('record', '--config', config, '--out', tape, '--for', '70s');
    expect(recorded).toMatchObject({ code: 0, out: expect.stringMatching(/tape\.jsonl: \d\d lists in 1m/) });
    expect(simulator.aborts()).toEqual([]);
    const paths = new Set(simulator.calls().map(({ path }) => path));
    console.log(paths);
    const first = await run('replay', '--config', config, tape);
    console.log(first.out, first.error);
    console.log((await readFile(tape, 'utf8')).slice(0, 2000));
    expect(first.code).toBe(0);
  });
});
