import { afterAll, beforeAll, expect, it } from 'vitest';
import { collectors } from '../../src/collect/all.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { type InProcessDaemon, startInProcessDaemon } from '../support/in-process-daemon.ts';

let simulator: Simulator;
let daemon: InProcessDaemon;

beforeAll(async () => {
  simulator = await startSimulator({ scenario: 'calm' }, { listen, clock: systemClock });
  const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
  daemon = await startInProcessDaemon({ clusters: [{ name: 'prod', nodes }] });
});

afterAll(async () => {
  await daemon.stop();
  await simulator.close();
});

async function collectorsThatRead(): Promise<ReadonlySet<string>> {
  const { families } = await daemon.page();
  const samples = families.get('graphwarden_collector_success')?.samples ?? [];
  return new Set(samples.filter(({ value }) => value === 1).map(({ labels }) => labels.collector ?? ''));
}

/** The rules of all alerts, those that wait for their hold included. */
async function rulesOfAlerts(): Promise<readonly string[]> {
  const { text } = await send(`${daemon.url}/api/v1/alerts`);
  return [...text.matchAll(/"rule": ?"(\w+)"/g)].map(([, rule = '']) => rule);
}

it('no alert fires or is pending in a healthy cluster, except the watchdog', async () => {
  const wanted = collectors.filter(({ defaults }) => defaults.enabled).map(({ name }) => name);
  await eventually('every collector has read well', async () => {
    const read = await collectorsThatRead();
    return wanted.every((name) => read.has(name));
  });
  await eventually('the rules are evaluated', async () => (await rulesOfAlerts()).length > 0);
  expect(await rulesOfAlerts()).toEqual(['watchdog']);
});
