import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { type Child, eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { startProgram } from '../support/program.ts';
import { startSimulatedReceivers } from '../support/simulated-receivers.ts';

interface LogEntry {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly instances?: string;
  readonly from?: string;
  readonly to?: string;
  readonly rule?: string;
  readonly receiver?: string;
  readonly action?: string;
  readonly incident?: string;
}

interface ListedAlert {
  readonly rule: string;
  readonly state: string;
  readonly incident: string;
  readonly annotations: { readonly summary: string };
  readonly deliveries: readonly { readonly receiver: string; readonly state: string }[];
}

/** A cluster of two nodes, a receiver, and a daemon that polls every second. */
async function setUp() {
  const outside = { listen, clock: systemClock };
  const simulator = await startSimulator({ nodes: 2 }, outside);
  onTestFinished(() => simulator.close());
  const receivers = await startSimulatedReceivers([{ name: 'hook', kind: 'webhook' }], outside);
  onTestFinished(() => receivers.close());
  const folder = await temporaryFolder();
  const rule = { for: '0s', keep_firing_for: '12s' };
  const settings = {
    listen: '127.0.0.1:0',
    state_dir: join(folder, 'state'),
    log: { level: 'info', format: 'json' },
    clusters: [{ name: 'c', nodes: simulator.nodes.map(({ name, url }) => ({ name, url })), graphs: ['fraud'] }],
    collectors: { health: { interval: '1s', timeout: '1s' }, services: { interval: '1s', timeout: '1s' } },
    alerts: {
      receivers: [{ name: 'hook', webhook: { url: receivers.all[0]?.url ?? '' } }],
      routes: [{ receivers: ['hook'], group_by: ['alertname'], group_wait: '0s' }],
      rules: { service_not_online: rule, watchdog: { enabled: false } },
    },
  };
  const file = join(folder, 'graphwarden.yml');
  await writeFile(file, stringify(settings));
  const child = startProgram(['run', '--config', file], { cwd: folder });
  onTestFinished(async () => void (await child.stop()));
  const address = (): string | undefined => /"url":"(http:[^"]+?)\/?"/.exec(child.stderr())?.[1];
  const url = await eventually('the daemon logs its address', async () => address());
  return { simulator, file, child, url };
}

function entries(child: Child): readonly LogEntry[] {
  const lines = child.stderr().split('\n').slice(0, -1);
  return lines.map((line): LogEntry => JSON.parse(line));
}

/** Returns the log entries about the service instance. */
function story(child: Child): readonly string[] {
  return entries(child).flatMap(({ level, msg, instances, from, to, rule, receiver, action }) => {
    if (msg === 'service status confirmed') return [`${level} ${instances} ${from} > ${to}`];
    if (msg.startsWith('alert ')) return [`${level} ${msg} ${rule}`];
    return msg.startsWith('notification ') ? [`${level} ${msg} ${receiver} ${action}`] : [];
  });
}

async function listed(url: string): Promise<readonly ListedAlert[]> {
  return JSON.parse((await send(`${url}/api/v1/alerts`)).text).items;
}

async function printed(url: string, ...args: readonly string[]): Promise<string> {
  const child = startProgram([...args, '--url', url]);
  await child.ended;
  return child.stdout();
}

/** Waits until the alert has the state on the API, then compares API and terminal, which a state that just changed repeats. */
async function expectState(url: string, state: string): Promise<ListedAlert> {
  return await eventually(`API and terminal show ${state}`, async () => {
    const [alert] = (await listed(url)).filter(({ rule }) => rule === 'service_not_online');
    // To start the program takes much longer than a request.
    if (alert?.state !== state) return undefined;
    const rows = (await printed(url, 'alerts', '--all')).split('\n');
    const row = rows.find((line) => line.includes('service_not_online'));
    return row?.includes(` ${state} `) === true && alert;
  });
}

it('incident › log, API, terminal and notifications show the same states', async () => {
  const { simulator, file, child, url } = await setUp();
  await eventually('the status is confirmed', async () => {
    const { text } = await send(`${url}/api/v1/services?service=GPE&partition=1&replica=1`);
    return text.includes('"confirmed":"Online"');
  });
  expect(await printed(url, 'status')).toMatch(/^healthy: no alert fires\n/);

  simulator.control.setService('GPE', '1', '1', 'Down');
  const firing = await expectState(url, 'firing');
  const accepted = await eventually('the receiver accepts the trigger', async () => {
    const [alert] = await listed(url);
    return alert?.deliveries.some(({ state }) => state === 'accepted') && alert;
  });
  expect(accepted.deliveries).toMatchObject([{ receiver: 'hook', state: 'accepted' }]);
  expect(await printed(url, 'alerts')).toContain('hook accepted the trigger');
  const down = await printed(url, 'status');
  expect(down).not.toMatch(/^healthy/);
  expect(down).toContain('GPE_1#1 of c Down for ');
  expect(firing.annotations.summary).toContain('GPE_1#1');

  simulator.control.setService('GPE', '1', '1', 'Online');
  await expectState(url, 'recovering');
  await expectState(url, 'resolved');
  await eventually(
    'the end is notified',
    async () => story(child).at(-1) === 'info notification accepted hook resolve',
  );
  expect(story(child)).toEqual([
    'info GPE_1#1 Online > Down',
    'info alert firing service_not_online',
    'info notification accepted hook trigger',
    'info GPE_1#1 Down > Online',
    'info alert resolved service_not_online',
    'info notification accepted hook resolve',
  ]);
  const reported = entries(child).filter(({ msg }) => /^(?:alert|notification) /.test(msg));
  expect(new Set(reported.map(({ incident }) => incident))).toEqual(new Set([firing.incident]));
  const [start] = entries(child);
  expect(start).toMatchObject({ level: 'info', msg: 'starting', config: file, clusters: ['c'], guard: 'observe' });
  for (const entry of entries(child)) {
    expect(entry.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(entry).not.toHaveProperty('message');
  }
});
