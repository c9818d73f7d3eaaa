import { expect, it } from 'vitest';
import { z } from 'zod';
import type { SimulatedReceivers } from '../../src/simulator/receivers/receivers.ts';
import {
  acceptedBy,
  addressOf,
  fakeReceivers,
  kill,
  notificationsTo,
  openAlertingCluster,
} from '../support/alerting-cluster.ts';
import { eventually } from '../support/child.ts';
import { send } from '../support/http.ts';

const message = z.object({
  text: z.string(),
  ts: z.string().optional(),
  thread_ts: z.string().optional(),
  reply_broadcast: z.boolean().optional(),
});

/** The `ts` that the simulated API returns for every message. */
const ts = '1503435956.000247';

/** What each request does: `post`, `update` of a message, or `reply` in its thread, with the state of the incident. */
function requestsTo(receivers: SimulatedReceivers): readonly string[] {
  return notificationsTo(receivers, 'threads').map(({ body }) => {
    const { text, ts: updated, thread_ts: thread } = message.parse(JSON.parse(body));
    const method = updated === undefined ? (thread === undefined ? 'post' : `reply ${thread}`) : `update ${updated}`;
    return `${method}: ${text.split(/ (?:warning|critical)/)[0]}`;
  });
}

it('an incident is one message, which its resolve updates and replies to in its thread, also after crashes', async () => {
  const receivers = await fakeReceivers({ name: 'threads', kind: 'slack_bot' });
  const setup = await openAlertingCluster({
    receivers: [
      {
        name: 'threads',
        slack_bot: { url: addressOf(receivers, 'threads'), token: 'xoxb-simulated', channel: 'C0123456789' },
      },
    ],
    routes: [{ receivers: ['threads'], group_wait: '0s', repeat_interval: '1h' }],
  });
  const { child, url } = await setup.startDaemon();
  setup.setEngine('Down');
  await eventually('the incident is posted', async () => acceptedBy(receivers, 'threads').length === 1);
  await eventually('that is stored', async () => (await outboxDepth(url)) === 0);
  await kill(child);
  const restarted = await setup.startDaemon();
  setup.setEngine('Online');
  await eventually('the end is in the thread', async () => acceptedBy(receivers, 'threads').length === 3);
  expect(requestsTo(receivers)).toEqual(['post: FIRING', `update ${ts}: RESOLVED`, `reply ${ts}: RESOLVED`]);
  await eventually('that is stored', async () => (await outboxDepth(restarted.url)) === 0);
  setup.setEngine('Down');
  await eventually('the next incident is another message', async () => requestsTo(receivers).length === 4);
  await eventually('the incident is posted', async () => acceptedBy(receivers, 'threads').length === 4);
  await eventually('that is stored', async () => (await outboxDepth(restarted.url)) === 0);

  // The process crashes before Slack replies: the resolve is repeated in the same thread.
  receivers.setBehavior('threads', { kind: 'hang', isAccepted: true });
  setup.setEngine('Online');
  await eventually('the update is sent', async () => requestsTo(receivers).length === 5);
  await kill(restarted.child);
  receivers.setBehavior('threads', { kind: 'healthy' });
  await setup.startDaemon();
  await eventually('the end is in the thread', async () => requestsTo(receivers).at(-1) === `reply ${ts}: RESOLVED`);
  expect(requestsTo(receivers).slice(3)).toEqual([
    'post: FIRING',
    `update ${ts}: RESOLVED`,
    `update ${ts}: RESOLVED`,
    `reply ${ts}: RESOLVED`,
  ]);
});

async function outboxDepth(url: string): Promise<number> {
  const { text: page } = await send(`${url}/metrics`);
  return Number(/^graphwarden_outbox_depth\{receiver="threads"\} (\d+)$/m.exec(page)?.[1] ?? Number.NaN);
}
