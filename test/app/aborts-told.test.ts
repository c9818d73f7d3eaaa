import { describe, expect, it } from 'vitest';
import { queryAborted } from '../../src/alert/rules/query-aborted.ts';
import { Alerts } from '../../src/app/alerts.ts';
import type { AbortView } from '../../src/model/guard.ts';
import { digest } from '../../src/runtime/digest.ts';
import { everything, settingsOf, situationOf } from '../alert/alerting-bed.ts';
import { abort, guardWith } from '../alert/rules/aborting.ts';
import { Delivering, settingsOf as receiverOf } from '../notify/delivering.ts';

const minute = 60_000;

/** A chat by a route that waits for company, and a receiver to which only the policy leads. */
async function setUp() {
  const delivering = new Delivering({ chat: {}, 'oncall-db': {} });
  const { clock, store, log } = delivering;
  const route = { ...everything, receivers: ['chat'], groupWait: 30_000 };
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
  const begin = async (): Promise<Alerts> => {
    const { deliverer } = delivering;
    const alerts = new Alerts({ log, store, digest, rules: [queryAborted], deliverer });
    await alerts.follow(settings, clock.now());
    return alerts;
  };
  const taken = abort({ notify: ['oncall-db'], at: clock.now().wall });
  const look = (alerts: Alerts, more: Partial<AbortView> = {}) => {
    const guard = guardWith({ aborts: [{ ...taken, ...more }] });
    return alerts.step({ kind: 'situation', situation: { ...situationOf({ rules: {} }), guard } }, clock.now());
  };
  /** The process is killed, and another one begins. */
  const restart = async (): Promise<Alerts> => {
    await delivering.deliverer.stop(AbortSignal.abort());
    await delivering.restart();
    return begin();
  };
  /** What each was told so far. */
  const told = () =>
    ['chat', 'oncall-db'].map((name) => delivering.get(name).story.map((text) => text.split(' ')[0] ?? ''));
  return { delivering, clock, store, begin, look, restart, told };
}

describe('an abort of a policy that names a receiver', () => {
  it('is owed to it in one transaction with all else, before anything leaves', async () => {
    const { begin, look, store, clock, told } = await setUp();
    const outcome = look(await begin());
    const put = outcome.changes.map((change) => [change.table, 'put' in change ? change.put.receiver : undefined]);
    expect(put).toEqual([
      ['counters', undefined],
      ['episodes', undefined],
      ['lanes', 'chat'],
      ['lanes', 'oncall-db'],
    ]);
    await clock.advance(minute);
    expect(told()).toEqual([[], []]);
    await store.commit(outcome.changes);
    outcome.release();
    await clock.settle();
    expect(told()[1]).toEqual(['trigger']);
  });

  it('is told to it at once, and to others when they have waited for company', async () => {
    const { begin, look, clock, told } = await setUp();
    const alerts = await begin();
    look(alerts).release();
    await clock.settle();
    expect(told()).toEqual([[], ['trigger']]);
    await clock.advance(30_000);
    expect(told()).toEqual([['trigger'], ['trigger']]);
    const over = { outcome: 'confirmed', endedAt: clock.now().wall } as const;
    await clock.advance(5 * minute);
    look(alerts, over).release();
    await clock.settle();
    expect(told()[1]).toEqual(['trigger', 'resolve']);
  });

  it('is told after a crash that came with the commit, once, and its end', async () => {
    const { begin, look, store, restart, clock, told } = await setUp();
    await store.commit(look(await begin()).changes);
    const alerts = await restart();
    await clock.advance(minute);
    expect(told()).toEqual([['trigger'], ['trigger']]);
    const again = look(alerts);
    expect(again.changes).toEqual([]);
    again.release();
    const over = { outcome: 'vanished', endedAt: clock.now().wall } as const;
    await clock.advance(5 * minute);
    look(alerts, over).release();
    await clock.advance(minute);
    expect(told()).toEqual([
      ['trigger', 'resolve'],
      ['trigger', 'resolve'],
    ]);
  });
});
