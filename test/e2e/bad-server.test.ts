import { expect, it, onTestFinished } from 'vitest';
import { collectors } from '../../src/collect/all.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { faultNames } from '../../src/simulator/faults/fault.ts';
import type { SimulatorOptions } from '../../src/simulator/options.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { type InProcessDaemon, type Page, startInProcessDaemon } from '../support/in-process-daemon.ts';
import { listen } from '../support/reusable-port.ts';

/** A phase of the scenario lasts ten seconds; so fast, one lasts about a third of a second. */
const speed = 30;
const round = (faultNames.length * 10_000) / speed;
/** So that every phase is met by some reading. */
const often = { interval: '250ms', timeout: '250ms' };
/** Long enough for an answer on a busy machine. */
const interval = 800;
const calmly = { interval: `${interval}ms`, timeout: `${interval}ms` };
const running = collectors.filter(({ defaults }) => defaults.schedule === undefined).map(({ name }) => name);

interface Scene {
  readonly simulator: Simulator;
  readonly daemon: InProcessDaemon;
}

async function onScene(options: SimulatorOptions, timing = calmly): Promise<Scene> {
  const simulator = await startSimulator(options, { listen, clock: systemClock });
  const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
  const daemon = await startInProcessDaemon({
    clusters: [{ name: 'c', nodes }],
    limits: { body: '4MiB' },
    collectors: Object.fromEntries(running.map((name) => [name, timing])),
  });
  onTestFinished(async () => {
    await daemon.stop();
    await simulator.close();
  });
  return { simulator, daemon };
}

function successes(page: Page): readonly number[] {
  return (page.families.get('graphwarden_collector_success')?.samples ?? []).map(({ value }) => value);
}

function allGood({ daemon }: Scene): Promise<unknown> {
  const good = async (): Promise<boolean> => successes(await daemon.page()).every((value) => value === 1);
  return eventually('every collector is good', good);
}

/** Checks that each line of a collector is a change: a failure is followed by a recovery or by a failure with another reason. */
function expectChangesAlone({ log }: InProcessDaemon): void {
  const last = new Map<string, string>();
  const lines = log.filter(({ message }) => ['collector failed', 'collector recovered'].includes(message));
  expect(lines).not.toEqual([]);
  for (const { message, fields } of lines) {
    const target = [fields.collector, fields.node].join('/');
    const now = [message, fields.reason, fields.status, fields.code].join(' ');
    expect(now, target).not.toBe(last.get(target));
    last.set(target, now);
  }
  expect(log.filter(({ level }) => level === 'error')).toEqual([]);
}

it('the daemon survives every fault of a server, and every collector succeeds at the end', async () => {
  const setup = await onScene({ nodes: 2, scenario: 'bad_server', speed }, often);
  const end = performance.now() + round;
  const statuses = new Set<number>();
  while (performance.now() < end) {
    const replies = await Promise.all(['/metrics', '/-/healthy'].map((path) => send(setup.daemon.url + path)));
    for (const { status } of replies) statuses.add(status);
    await systemClock.sleep(250);
  }
  expect([...statuses]).toEqual([200]);
  await setup.simulator.control.setScenario('calm');
  await allGood(setup);
  expectChangesAlone(setup.daemon);
});

it('nodes that stop during requests, all at once, and return, are up again', async () => {
  const setup = await onScene({ nodes: 3 });
  await allGood(setup);
  const { control } = setup.simulator;
  // Asked, and not answered yet, when they die.
  const heal = await control.injectFault('hang_within_body');
  await systemClock.sleep(100);
  await Promise.all(['m1', 'm2', 'm3'].map((node) => control.stopNode(node)));
  await heal();
  const down = await eventually('all are down', async () => {
    const page = await setup.daemon.page();
    const isDown = page.families.get('graphdb_up')?.samples.every(({ value }) => value === 0) === true;
    // The services may have been polled a moment before; their series then go with the next poll result.
    return isDown && !page.families.has('graphdb_service_status') && page;
  });
  expect(down.families.has('graphdb_network_bytes_total')).toBe(true);
  await Promise.all(['m1', 'm2', 'm3'].map((node) => control.startNode(node)));
  await allGood(setup);
  expectChangesAlone(setup.daemon);
});

it('daemon › logs one line per change when half of the replies fail', async () => {
  const setup = await onScene({ nodes: 1 });
  await allGood(setup);
  const half = /ping|informant|statistics/;
  for (let turn = 0; turn < 6; turn += 1) {
    const heal = await setup.simulator.control.injectFault(turn % 2 === 0 ? 'status_503' : 'invalid_json', {
      path: half,
    });
    await systemClock.sleep(interval);
    await heal();
    await systemClock.sleep(interval);
    const page = await setup.daemon.page();
    expect(page.value('graphwarden_collector_success', { collector: 'license' })).toBe(1);
  }
  await allGood(setup);
  expectChangesAlone(setup.daemon);
});
