import type { ReceivedLetter } from '../../../src/simulator/receivers/letter.ts';
import { type ReceiverOptions, type Receivers, startReceivers } from '../../../src/simulator/receivers/receivers.ts';
import { FakeClock } from '../../support/clock.ts';
import { send } from '../../support/http.ts';
import { listen } from '../../support/returning-port.ts';

/** Fake receivers, and what they were heard of. */
export interface Scene {
  readonly receivers: Receivers;
  readonly clock: FakeClock;
  readonly heard: readonly ReceivedLetter[];
  /** Sends something that is in order to the nth receiver; rejects where there is no answer. */
  readonly post: (index?: number) => ReturnType<typeof send>;
}

/** Something that is in order, for each kind. */
export const bodies = {
  slack: '{"text":"node m1 is gone"}',
  pagerduty: JSON.stringify({ routing_key: 'k'.repeat(32), event_action: 'resolve', dedup_key: 'one' }),
  alertmanager: '[{"labels":{"alertname":"Gone"}}]',
  webhook: JSON.stringify({ version: '4', groupKey: 'g', status: 'resolved', receiver: 'hook', alerts: [] }),
} as const;

/** Opens receivers whose time stands still, hands them to `use`, and closes them whatever happens. */
export async function withReceivers(options: readonly ReceiverOptions[], use: (scene: Scene) => Promise<void>) {
  const clock = new FakeClock();
  const heard: ReceivedLetter[] = [];
  const receivers = await startReceivers(options, { listen, clock }, (letter) => heard.push(letter));
  const post = (index = 0) => {
    const one = receivers.all[index];
    if (one === undefined) throw new Error('no such receiver');
    const paths = { slack: '', webhook: '', pagerduty: '/v2/enqueue', alertmanager: '/api/v2/alerts' };
    return send(one.url + paths[one.kind], { method: 'POST', body: bodies[one.kind] });
  };
  try {
    await use({ receivers, clock, heard, post });
  } finally {
    await receivers.close();
  }
}

/** The simplest of them. */
export const chat: ReceiverOptions = { name: 'chat', kind: 'slack' };
