import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { runCli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/all.ts';
import { err } from '../../src/kernel/result.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { livePorts, temporaryFolder } from '../support/live-ports.ts';
import { memoryLineFiles } from '../support/memory-line-files.ts';
import { startProgram } from '../support/program.ts';
import { startEnvironment } from './guard-environment.ts';
import { NetworkClock } from './network-clock.ts';

const runaway = { name: 'runaway', when: { age: '> 1s' }, confirm: { observations: 2, apart: '1s' }, grace: '1s' };
const never = { name: 'never', when: { query: 'none' } };
const named = { name: 'named', when: { params: { name: 'Jane *' } } };

/** A simulated cluster with a long query, and a folder for the configuration of its daemon. */
async function setUp() {
  const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const query = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 600_000, timeout: 900_000 };
  simulator.control.startQuery({ ...query, parameters: 'name=Jane%20Thistlewood' });
  return { simulator, folder: await temporaryFolder() };
}

async function configure(
  file: string,
  { nodes }: Simulator,
  policies: readonly object[],
  mode = 'observe',
): Promise<void> {
  const settings = {
    listen: '127.0.0.1:0',
    state_dir: join(file, '..', 'state'),
    clusters: [{ name: 'prod', nodes: nodes.map(({ name, url, instance }) => ({ name, url, instance })) }],
    collectors: { queries: { interval: '1s', timeout: '1s' } },
    guard: { mode, policies },
  };
  await writeFile(file, stringify(settings));
}

async function linesIn(recordings: string): Promise<readonly string[]> {
  const names = (await readdir(recordings)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(recordings, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
}

async function replay(...args: readonly string[]) {
  const ports = livePorts();
  const code = await runCli(['guard', 'replay', ...args], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

describe('the flight recorder of a daemon', () => {
  it.each([
    ['is full', async () => err('the disk is full')],
    ['hangs', () => new Promise<never>(() => undefined)],
  ])('does not disturb the guard while the disk %s', async (_, write) => {
    const clock = new NetworkClock();
    const recordingFiles = Object.assign(memoryLineFiles(clock), { write });
    const policies = [{ name: 'enforced', mode: 'enforce', when: { query: 'ring_*', age: '> 20s' }, grace: '10s' }];
    const environment = await startEnvironment({
      guard: { mode: 'enforce', policies },
      world: { recordingFiles },
      clock,
    });
    onTestFinished(() => environment.stop());
    const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 600_000, timeout: 600_000 };
    const query = environment.simulator.control.startQuery(order);
    await environment.run(31_000);
    expect(environment.simulator.aborts()).toMatchObject([{ requestId: query?.requestId }]);
    expect(recordingFiles.lines()).toEqual([]);
  });

  it('keeps the lists around an abort', async () => {
    const { simulator, folder } = await setUp();
    const config = join(folder, 'graphwarden.yml');
    await configure(config, simulator, [{ ...runaway, mode: 'enforce' }], 'enforce');
    const child = startProgram(['run', '--config', config], { cwd: folder });
    onTestFinished(async () => void (await child.stop()));
    await eventually('the query is aborted', async () => child.stderr().includes('"confirmed"'));
    expect(await child.stop()).toBe(0);

    const id = simulator.aborts()[0]?.requestId ?? '';
    const { code, out, error } = await replay('--config', config, '--abort', id);
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/ m1 +\d+ quer(y|ies), this one for \d+s\n/);
    expect(out).toMatch(/ m1 +\d+ quer(y|ies), not this one\n/);
    // A list that comes within the second of the abort no longer has the query when the replay would abort it.
    expect(out).toMatch(/ ring_scan on fraud +(?:aborted\b|none: no longer listed).* m1 +runaway /);
    const { evidence } = JSON.parse((await replay('--config', config, '--abort', id, '--json')).out);
    expect(evidence.at(-1)).toMatchObject({ node: 'm1', observation: expect.stringContaining('not this one') });
    expect(await replay('--config', config, '--abort', 'none')).toMatchObject({
      code: 1,
      error: `graphwarden: no evidence of an abort of query 'none' in '${folder}/state/recordings/aborts'\n`,
    });
  });

  it('replays another policy, while the daemon runs and after it was killed', async () => {
    const { simulator, folder } = await setUp();
    const recordings = join(folder, 'state', 'recordings');
    const own = join(folder, 'graphwarden.yml');
    await configure(own, simulator, [never, named]);
    const other = join(folder, 'other.yml');
    await configure(other, simulator, [
      runaway,
      named,
      { ...named, name: 'unknown', when: { params: { depth: '4' } } },
    ]);

    const child = startProgram(['run', '--config', own], { cwd: folder });
    onTestFinished(async () => void (await child.stop()));
    const listed = async (): Promise<boolean> =>
      (await linesIn(recordings)).filter((line) => line.includes('ring_scan')).length > 6;
    await eventually('lists are recorded', listed);
    const live = await replay('--config', other, '--last', '1h');
    expect([live.code, live.error]).toEqual([0, '']);
    expect(live.out).toMatch(/ ring_scan on fraud +would abort\b.* m1 +runaway /);

    child.kill('SIGKILL');
    expect(await child.ended).toBe(137);
    const lists = simulator.calls().filter(({ path }) => path === '/restpp/showprocesslistall').length;
    const recorded = (await linesIn(recordings)).filter((line) => line.includes('"listed"')).length;
    expect(recorded).toBeLessThanOrEqual(lists);
    const [last = ''] = (await readdir(recordings)).toSorted().toReversed();
    await appendFile(join(recordings, last), '{"event":"listed","no');

    const { code, out, error } = await replay('--config', other, '--last', '1h');
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/ ring_scan on fraud +would abort\b.* m1 +runaway /);
    expect(out).toContain('unknown: not replayable: the recording does not contain when.params.depth like 4');
    expect(out).not.toContain('named: not replayable');
    expect(simulator.aborts()).toEqual([]);

    const modes = await Promise.all(
      [recordings, join(recordings, last)].map(async (path) => (await stat(path)).mode & 0o777),
    );
    expect(modes).toEqual([0o700, 0o600]);
    expect((await linesIn(recordings)).join() + out).not.toMatch(/thistlewood/i);
  });
});
