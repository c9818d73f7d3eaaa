import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { type Child, eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { pageOf, startInProcessDaemon } from '../support/in-process-daemon.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { startProgram } from '../support/program.ts';

/** Long enough for a reply on a busy machine: a failed poll would become a transition. */
const often = { interval: '1s', timeout: '1s' };
const seldom = { enabled: false };

interface Daemon {
  readonly url: string;
}

interface Life extends Daemon {
  readonly child: Child;
}

interface ReportedTransition {
  readonly from: string;
  readonly to: string;
}

/** A cluster of two nodes, and a folder in which a daemon may live again and again. */
async function setUp() {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const folder = await temporaryFolder();
  const settings = {
    listen: '127.0.0.1:0',
    state_dir: join(folder, 'state'),
    clusters: [{ name: 'c', nodes: simulator.nodes.map(({ name, url }) => ({ name, url })), graphs: ['fraud'] }],
    collectors: {
      health: often,
      services: often,
      metrics: seldom,
      categories: seldom,
      statistics: seldom,
      queries: seldom,
      delayed_queries: seldom,
      workload_queues: seldom,
      license: seldom,
    },
  };
  await writeFile(join(folder, 'graphwarden.yml'), stringify(settings));
  return { simulator, folder, settings };
}

async function live(folder: string): Promise<Life> {
  const child = startProgram(['run', '--config', join(folder, 'graphwarden.yml')], { cwd: folder });
  onTestFinished(async () => void (await child.stop()));
  const address = (): string | undefined => /"url":"(http:[^"]+?)\/?"/.exec(child.stderr())?.[1];
  const url = await eventually(`the daemon logs its address: ${child.stderr()}`, async () => address());
  return { url, child };
}

/** The story of the first engine, the oldest first. */
async function storyAt({ url }: Daemon): Promise<readonly string[]> {
  const { text } = await send(`${url}/api/v1/transitions?service=GPE&partition=1&replica=1`);
  const { items }: { items: readonly ReportedTransition[] } = JSON.parse(text);
  return items.toReversed().map(({ from, to }) => `${from} > ${to}`);
}

async function until(life: Daemon, last: string): Promise<void> {
  await eventually(`the story ends with ${last}`, async () => (await storyAt(life)).at(-1) === last);
}

async function confirmedAt({ url }: Daemon): Promise<string> {
  const { text } = await send(`${url}/api/v1/services?service=GPE&partition=1&replica=1`);
  return JSON.parse(text).items[0]?.confirmed ?? '';
}

async function countAt({ url }: Life, to: string): Promise<number | undefined> {
  const page = pageOf((await send(`${url}/metrics`)).text);
  const engine = { service_name: 'GPE', partition: '1', replica: '1' };
  return page.value('graphdb_service_transitions_total', { ...engine, to });
}

async function kill({ child }: Life): Promise<void> {
  child.kill('SIGKILL');
  expect(await child.ended).toBe(137);
}

describe('the timeline', () => {
  it('survives kill -9: the gap is unobserved, no transition is repeated, and changes during the gap are found', async () => {
    const { simulator, folder } = await setUp();
    const first = await live(folder);
    await until(first, ' > Online');
    simulator.control.setService('GPE', '1', '1', 'Down');
    await until(first, 'Online > Down');
    await eventually('it is confirmed', async () => (await confirmedAt(first)) === 'Down');
    await kill(first);

    const second = await live(folder);
    await until(second, 'unobserved > Down');
    expect(await storyAt(second)).toEqual([' > Online', 'Online > Down', 'Down > unobserved', 'unobserved > Down']);
    // That takes another reading.
    await eventually('it is confirmed again', async () => (await confirmedAt(second)) === 'Down');
    await kill(second);

    simulator.control.setService('GPE', '1', '1', 'Online');
    const third = await live(folder);
    await until(third, 'unobserved > Online');
    await eventually('all of it is counted', async () => {
      const counts = await Promise.all(['Online', 'Down', 'unobserved'].map((to) => countAt(third, to)));
      return isDeepStrictEqual(counts, [2, 2, 2]);
    });
    expect(await third.child.stop()).toBe(0);

    const printed = startProgram(['transitions', '--state-dir', join(folder, 'state'), '--service', 'GPE', '--json']);
    expect(await printed.ended).toBe(0);
    const own = JSON.parse(printed.stdout()).filter(
      ({ partition, replica }: { partition: string; replica: string }) => partition === '1' && replica === '1',
    );
    expect(own).toHaveLength(6);
  });

  it('does not report an unreachable cluster as down', async () => {
    const { simulator, settings } = await setUp();
    const life = await startInProcessDaemon(settings);
    onTestFinished(() => life.stop());
    await until(life, ' > Online');
    await eventually('it is confirmed', async () => (await confirmedAt(life)) === 'Online');
    const cut = await simulator.control.injectFault('status_500');
    await until(life, 'Online > unobserved');
    expect(await confirmedAt(life)).toBe('Online');
    await cut();
    await until(life, 'unobserved > Online');
  });
});
