import { describe, expect, it } from 'vitest';
import { queryAborted } from '../../src/alert/rules/query-aborted.ts';
import { AlertEngine } from '../../src/app/incidents/alert-engine.ts';
import type { AbortView } from '../../src/model/guard.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { catchAllRoute, settingsOf, situationOf } from '../alert/alerting-testbed.ts';
import { abort, guardWith } from '../alert/rules/guard-fixtures.ts';
import { DeliveryTestbed, settingsOf as receiverOf } from '../notify/delivery-testbed.ts';

const minute = 60_000;

/** A chat receiver with a `group_wait`, and a receiver that only the policy names. */
async function setUp() {
  const delivering = new DeliveryTestbed({ chat: {}, 'oncall-db': {} });
  const { clock, store, log } = delivering;
  const route = { ...catchAllRoute, receivers: ['chat'], groupWait: 30_000 };
  const settings = {
    alerts: {
      receivers: ['chat', 'oncall-db'].map(receiverOf),
      routes: [route],
      rules: { [queryAborted.name]: settingsOf(queryAborted) },
      maintenance: [],
      templates: {},
    },
    clusters: ['prod'],
  };
  const begin = async (): Promise<AlertEngine> => {
    const { deliverer } = delivering;
    const alerts = new AlertEngine({ log, store, digest, rules: [queryAborted], deliverer });
    await alerts.configure(settings, clock.now());
    return alerts;
  };
  const taken = abort({ notify: ['oncall-db'], at: clock.now().wall });
  const look = (alerts: AlertEngine, more: Partial<AbortView> = {}) => {
    const guard = guardWith({ aborts: [{ ...taken, ...more }] });
    return alerts.step({ kind: 'situation', situation: { ...situationOf({ rules: {} }), guard } }, clock.now());
  };
  /** The process is killed, and another one begins. */
  const restart = async (): Promise<AlertEngine> => {
    await delivering.deliverer.stop(AbortSignal.abort());
    await delivering.restart();
    return begin();
  };
  /** Notifications of each receiver until now. */
  const reported = () =>
    ['chat', 'oncall-db'].map((name) => delivering.receiver(name).story.map((text) => text.split(' ')[0] ?? ''));
  return { delivering, clock, store, begin, look, restart, reported };
}

describe('an abort of a policy that names a receiver', () => {
  it('queues its notification in the transaction that stores the incident, before the first request', async () => {
    const { begin, look, store, clock, reported } = await setUp();
    const outcome = look(await begin());
    const put = outcome.changes.map((change) => [change.table, 'put' in change ? change.put.receiver : undefined]);
    expect(put).toEqual([
      ['counters', undefined],
      ['episodes', undefined],
      ['lanes', 'chat'],
      ['lanes', 'oncall-db'],
    ]);
    await clock.advance(minute);
    expect(reported()).toEqual([[], []]);
    await store.commit(outcome.changes);
    outcome.release();
    await clock.settle();
    expect(reported()[1]).toEqual(['trigger']);
  });

  it('notifies this receiver at once, and receivers of routes after group_wait', async () => {
    const { begin, look, clock, reported } = await setUp();
    const alerts = await begin();
    look(alerts).release();
    await clock.settle();
    expect(reported()).toEqual([[], ['trigger']]);
    await clock.advance(30_000);
    expect(reported()).toEqual([['trigger'], ['trigger']]);
    const over = { outcome: 'confirmed', endedAt: clock.now().wall } as const;
    await clock.advance(5 * minute);
    look(alerts, over).release();
    await clock.settle();
    expect(reported()[1]).toEqual(['trigger', 'resolve']);
  });

  it('notifies each receiver once, and again when it is resolved, after a crash that follows the commit', async () => {
    const { begin, look, store, restart, clock, reported } = await setUp();
    await store.commit(look(await begin()).changes);
    const alerts = await restart();
    await clock.advance(minute);
    expect(reported()).toEqual([['trigger'], ['trigger']]);
    const again = look(alerts);
    expect(again.changes).toEqual([]);
    again.release();
    const over = { outcome: 'vanished', endedAt: clock.now().wall } as const;
    await clock.advance(5 * minute);
    look(alerts, over).release();
    await clock.advance(minute);
    expect(reported()).toEqual([
      ['trigger', 'resolve'],
      ['trigger', 'resolve'],
    ]);
  });
});
