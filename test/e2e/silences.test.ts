import { expect, it } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands.ts';
import { addressOf, alertingScene, fakeReceivers, kill, takenBy, untilTold } from '../support/alerting-scene.ts';
import { eventually } from '../support/child.ts';
import { livePorts } from '../support/live-ports.ts';

const name = 'hook';

/** A daemon with one receiver, spoken to as an operator on its machine does. */
async function setUp() {
  const receivers = await fakeReceivers({ name, kind: 'webhook' });
  const scene = await alertingScene({
    receivers: [{ name, webhook: { url: addressOf(receivers, name) } }],
    routes: [{ receivers: [name], group_wait: '0s', repeat: '0s' }],
  });
  return { receivers, scene };
}

/** What the command line prints that has to go well. */
async function say(url: string, ...args: readonly string[]): Promise<string> {
  const ports = livePorts();
  const code = await cli([...args, '--url', url], commands, ports);
  expect([args, code, ports.stderr.text()]).toEqual([args, 0, '']);
  return ports.stdout.text();
}

async function untilShown(url: string, pattern: RegExp): Promise<void> {
  await eventually(`alerts show ${pattern.source}`, async () => pattern.test(await say(url, 'alerts')));
}

const silence = ['silence', 'add', 'service_name=GPE', '--for', '1h', '--author', 'alice', '--reason', 'test'];

function idIn(text: string): string {
  return /^silence (\w+) ends/.exec(text)?.[1] ?? '';
}

it('a silence outlives kill -9, and when it ends what still fires is told', async () => {
  const { receivers, scene } = await setUp();
  const first = await scene.live();
  const id = idIn(await say(first.url, ...silence));
  scene.setEngine('Down');
  await untilShown(first.url, new RegExp(`silenced \\(${id}\\) .*service_not_online .*replica=1`));
  await kill(first.child);
  const second = await scene.live();
  await untilShown(second.url, new RegExp(`silenced \\(${id}\\)`));
  expect(await say(second.url, 'silence', 'list')).toMatch(
    new RegExp(`^ID.*\\n${id} +holds .*alice.*service_name=GPE`),
  );
  expect(takenBy(receivers, name)).toEqual([]);
  await say(second.url, 'silence', 'end', id);
  await untilTold(receivers, name, 'trigger');
  await untilShown(second.url, / firing /);
  expect(await say(second.url, 'silence', 'list')).toBe('no silences\n');
});

it('the end of what was told before a silence is told in spite of it', async () => {
  const { receivers, scene } = await setUp();
  const { url } = await scene.live();
  scene.setEngine('Down');
  await untilTold(receivers, name, 'trigger');
  await say(url, ...silence);
  await untilShown(url, / silenced /);
  scene.setEngine('Online');
  await untilTold(receivers, name, 'resolve');
  await untilShown(url, /^no alerts\n$/);
  expect(await say(url, 'alerts', '--all')).toContain(' resolved ');
});
