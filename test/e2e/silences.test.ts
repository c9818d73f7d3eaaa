import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runCli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/all.ts';
import {
  acceptedBy,
  addressOf,
  fakeReceivers,
  kill,
  notificationsTo,
  openAlertingCluster,
  untilNotified,
} from '../support/alerting-cluster.ts';
import { eventually } from '../support/child.ts';
import { livePorts } from '../support/live-ports.ts';

const name = 'hook';

/** What the command line prints that has to go well. */
async function say(stateDir: string, ...args: readonly string[]): Promise<string> {
  const ports = livePorts();
  const code = await runCli([...args, '--state-dir', stateDir], commands, ports);
  expect([args, code, ports.stderr.text()]).toEqual([args, 0, '']);
  return ports.stdout.text();
}

async function untilShown(stateDir: string, pattern: RegExp): Promise<void> {
  await eventually(`alerts show ${pattern.source}`, async () => pattern.test(await say(stateDir, 'alerts')));
}

const silence = ['silence', 'add', 'service_name=GPE', '--for', '1h', '--author', 'alice', '--reason', 'test'];

function idIn(text: string): string {
  return /^silence (\w+) ends/.exec(text)?.[1] ?? '';
}

it('silence survives kill -9, a firing alert is sent when it expires, and another silence does not suppress the resolve', async () => {
  const receivers = await fakeReceivers({ name, kind: 'webhook' });
  const setup = await openAlertingCluster({
    receivers: [{ name, webhook: { url: addressOf(receivers, name) } }],
    routes: [{ receivers: [name], group_wait: '0s', repeat_interval: '0s' }],
  });
  const first = await setup.startDaemon();
  const id = idIn(await say(setup.stateDir, ...silence));
  setup.setEngine('Down');
  await untilShown(setup.stateDir, new RegExp(`silenced by ${id} .*service_not_online .*replica=1`));
  await kill(first.child);
  await setup.startDaemon();
  await untilShown(setup.stateDir, new RegExp(`silenced by ${id} `));
  expect(await say(setup.stateDir, 'silence', 'list')).toMatch(
    new RegExp(`^ID.*\\n${id} +active .*service_name="GPE".*alice`),
  );
  expect(acceptedBy(receivers, name)).toEqual([]);
  await say(setup.stateDir, 'silence', 'end', id);
  await untilNotified(receivers, name, 'trigger');
  await untilShown(setup.stateDir, / firing /);
  expect(await say(setup.stateDir, 'silence', 'list')).toBe('no silences\n');
  await say(setup.stateDir, ...silence);
  await untilShown(setup.stateDir, / silenced /);
  setup.setEngine('Online');
  await untilNotified(receivers, name, 'resolve');
  await untilShown(setup.stateDir, /^no alerts\n$/);
  expect(await say(setup.stateDir, 'alerts', '--all')).toContain(' resolved ');
});

it('silence withholds triggers in their group wait and in retries, also after kill -9, until it ends', async () => {
  const receivers = await fakeReceivers({ name: 'grouped', kind: 'webhook' }, { name: 'failing', kind: 'webhook' });
  const groupWait = 6000;
  const setup = await openAlertingCluster({
    receivers: ['grouped', 'failing'].map((one) => ({ name: one, webhook: { url: addressOf(receivers, one) } })),
    routes: [
      { receivers: ['grouped'], group_wait: `${groupWait}ms`, continue: true },
      { receivers: ['failing'], group_wait: '0s' },
    ],
  });
  receivers.setBehavior('failing', { kind: 'refuse', status: 500 });
  const first = await setup.startDaemon();
  setup.setEngine('Down');
  await eventually('the receiver fails', async () => notificationsTo(receivers, 'failing').length > 0);
  const added = await say(setup.stateDir, ...silence);
  const id = idIn(added);
  await untilShown(setup.stateDir, new RegExp(`silenced by ${id}; .*trigger withdrawn`));
  expect(await say(setup.stateDir, 'alerts')).not.toContain('pending');
  receivers.setBehavior('failing', { kind: 'healthy' });
  await kill(first.child);
  await setup.startDaemon();
  await untilShown(setup.stateDir, new RegExp(`silenced by ${id}; `));
  await pause(groupWait);
  expect(receivers.requests().filter(({ isAccepted }) => isAccepted)).toEqual([]);
  expect(await say(setup.stateDir, 'notifications')).toMatch(/withdrawn.*suppresses the alert/);
  await say(setup.stateDir, 'silence', 'end', id);
  await Promise.all(['grouped', 'failing'].map((one) => untilNotified(receivers, one, 'trigger')));
  setup.setEngine('Online');
  await Promise.all(['grouped', 'failing'].map((one) => untilNotified(receivers, one, 'resolve')));
  for (const one of ['grouped', 'failing'])
    expect(acceptedBy(receivers, one).map(({ action }) => action)).toEqual(['trigger', 'resolve']);
});
