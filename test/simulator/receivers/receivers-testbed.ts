import type { ReceivedRequest } from '../../../src/simulator/receivers/received-request.ts';
import type { ReceiverOptions, SimulatedReceivers } from '../../../src/simulator/receivers/receivers.ts';
import { FakeClock } from '../../support/clock.ts';
import { send } from '../../support/http.ts';
import { listen } from '../../support/reusable-port.ts';
import { startSimulatedReceivers, twinOf } from '../../support/simulated-receivers.ts';

/** Simulated receivers and the requests that they answered. */
export interface ReceiversTestbed {
  readonly receivers: SimulatedReceivers;
  readonly clock: FakeClock;
  readonly answered: readonly ReceivedRequest[];
  /** Sends something that is in order to the nth receiver; rejects where there is no answer. */
  readonly post: (index?: number) => ReturnType<typeof send>;
}

/** Something that is in order, for each kind. */
export const validBodies: Readonly<Record<string, string>> = {
  slack: '{"text":"node m1 is gone"}',
  pagerduty: JSON.stringify({ routing_key: 'k'.repeat(32), event_action: 'resolve', dedup_key: 'one' }),
  alertmanager: '[{"labels":{"alertname":"Gone"}}]',
  webhook: JSON.stringify({ version: '4', groupKey: 'g', status: 'resolved', receiver: 'hook', alerts: [] }),
};

/** Opens receivers with a stopped clock, passes them to `use`, and always closes them. */
export async function withReceivers(
  options: readonly ReceiverOptions[],
  use: (setup: ReceiversTestbed) => Promise<void>,
) {
  const clock = new FakeClock();
  const answered: ReceivedRequest[] = [];
  const receivers = await startSimulatedReceivers(options, { listen, clock }, (delivery) => answered.push(delivery));
  const post = (index = 0) => {
    const one = receivers.all[index];
    if (one === undefined) throw new Error('no such receiver');
    const url = new URL(twinOf(one.kind).requestPath, one.url);
    return send(url.href, { method: 'POST', body: validBodies[one.kind] ?? '' });
  };
  try {
    await use({ receivers, clock, answered, post });
  } finally {
    await receivers.close();
  }
}

/** The simplest of them. */
export const chat: ReceiverOptions = { name: 'chat', kind: 'slack' };
