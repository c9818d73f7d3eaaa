import { describe, expect, it } from 'vitest';
import { guardSection } from '../../../src/guard/guard-section.ts';
import { idAt } from '../../guard/observations.ts';
import {
  begin,
  type GuardBehavior,
  lostWith,
  nothing,
  runUntilAbort,
  settingsOf,
  startGuard,
} from './cluster-guard-steps.ts';

describe('a running cluster guard', () => {
  it('requests lists when they are due', async () => {
    const { clock, guard, requested, view } = startGuard();
    guard.handle({ kind: 'restored', kept: nothing });
    await clock.advance(11_000);
    expect(requested).toEqual(['n1 0', 'n1 5000', 'n1 10000']);
    expect(view()).toMatchObject({ rejectedLists: 0, list: { connection: 'c1' } });
  });

  it('has one timer at a time, however often it is woken', async () => {
    const { clock, guard, requested } = startGuard();
    for (let cycle = 0; cycle < 5; cycle += 1) {
      guard.handle({ kind: 'tick' });
      await clock.advance(900);
      expect(clock.sleeping).toBe(1);
    }
    expect(requested).toHaveLength(1);
  });

  it('proceeds from the lists to one abort, with urgent requests only for the abort', async () => {
    const { clock, requested, orders, of } = await runUntilAbort();
    await clock.advance(60_000);
    expect(orders).toMatchObject([{ node: 'n1', id: idAt(0), graph: 'fraud', connection: 'c1' }]);
    expect(of('outcome')).toMatchObject([{ outcome: 'confirmed' }]);
    const purposes = of('list').map((output) => (output.kind === 'list' ? output.purpose : ''));
    const urgent = purposes.map((purpose) => purpose === 'fresh' || purpose === 'verify');
    expect(requested.map((one) => one.endsWith(' urgent'))).toEqual(urgent);
    expect(new Set(urgent)).toEqual(new Set([true, false]));
  });

  it('waits for the intent to be on disk', async () => {
    const { of, orders } = await runUntilAbort({ commit: () => false });
    expect(orders).toEqual([]);
    expect(of('outcome')).toMatchObject([{ outcome: 'not_sent', skipReason: 'audit' }]);
  });

  it('stores pressure samples', () => {
    const { guard } = startGuard();
    const pressure = { node: 'n1', source: 'queue_depth', value: 7, at: 0, collectedAt: 0, interval: 5000 } as const;
    guard.handle({ kind: 'gate_value', pressure });
    expect([...guard.state.pressures.values()]).toEqual([pressure]);
  });
});

describe('a process list', () => {
  it('is void if the request ends without a list', async () => {
    const { clock, guard, view, of } = startGuard({ list: async () => true });
    guard.handle({ kind: 'tick' });
    await clock.settle();
    expect(view()).toMatchObject({ rejectedLists: 1, pace: { isRequesting: false } });
    expect(of('skipped')).toMatchObject([{ node: 'n1', reason: 'failed' }]);
  });

  it('does not count as missing if it arrives during the request', async () => {
    const setup = startGuard({ list: async () => receivedLate() });
    async function receivedLate(): Promise<boolean> {
      await setup.clock.sleep(100);
      setup.receive();
      return true;
    }
    setup.guard.handle({ kind: 'tick' });
    await setup.clock.advance(200);
    expect(setup.view()).toMatchObject({ rejectedLists: 0, pace: { isRequesting: false } });
    expect(setup.of('skipped')).toEqual([]);
  });

  it('is void once if it fails during the request', async () => {
    const setup = startGuard({ list: async () => failed() });
    async function failed(): Promise<boolean> {
      setup.fail();
      return true;
    }
    setup.guard.handle({ kind: 'tick' });
    await setup.clock.settle();
    expect(setup.view()?.rejectedLists).toBe(1);
  });

  it('of another node does not change this node', async () => {
    const setup = startGuard({ list: async (node) => node === 'n2' }, settingsOf({ nodes: ['n1', 'n2'] }));
    setup.guard.handle({ kind: 'tick' });
    setup.receive('n1');
    await setup.clock.settle();
    expect([setup.view('n1')?.rejectedLists, setup.view('n2')?.rejectedLists]).toEqual([0, 1]);
  });

  it('does not count if it was not requested, and is requested after the interval', async () => {
    const { clock, guard, view, requested } = startGuard({ list: async () => false });
    guard.handle({ kind: 'tick' });
    await clock.settle();
    expect(view()).toMatchObject({ rejectedLists: 0, pace: { isRequesting: false } });
    await clock.advance(5000);
    expect(requested).toEqual(['n1 0', 'n1 5000']);
  });

  it.each([
    ['failed', undefined],
    ['malformed', 'malformed'],
    ['error', 'error'],
  ] as const)('is rejected as %s', (reason, skipReason) => {
    const { fail, of } = startGuard({ list: () => new Promise(() => undefined) });
    fail(skipReason);
    expect(of('skipped')).toEqual([{ kind: 'skipped', scope: 'node', node: 'n1', reason }]);
  });
});

describe('the reply to an abort', () => {
  it('is lost after ten seconds', async () => {
    const requested: number[] = [];
    const abort: GuardBehavior['abort'] = async (_, signal, mayWrite) => {
      expect(mayWrite()).toBe(true);
      requested.push(setup.clock.now().mono);
      const answer = await lostWith(signal);
      requested.push(setup.clock.now().mono);
      return answer;
    };
    const setup = startGuard({ abort });
    await begin(setup);
    await setup.clock.advance(9000);
    expect([...setup.guard.state.decisions.values()]).toMatchObject([{ phase: 'sent' }]);
    await setup.clock.advance(1000);
    const [sent = 0, lost] = requested;
    expect(lost).toBe(sent + 10_000);
    expect([...setup.guard.state.decisions.values()]).toMatchObject([{ phase: 'verifying', answer: 'lost' }]);
    await setup.clock.advance(25_000);
    expect(setup.of('outcome')).toMatchObject([{ outcome: 'still_running', pages: true }]);
  });

  it('leaves no timer of the reply timeout behind', async () => {
    const { clock, guard } = await runUntilAbort();
    expect(guard.state.decisions.size).toBe(1);
    expect(clock.sleeping).toBe(1);
  });
});

describe('a change of settings', () => {
  it('keeps the state, and applies from the next step on', async () => {
    const { clock, guard, requested, view } = startGuard();
    guard.handle({ kind: 'restored', kept: nothing });
    await clock.advance(1000);
    const known = view();
    const settings = settingsOf({ nodes: ['n1', 'n2'], interval: 10_000 });
    guard.reconfigure(settings);
    expect(guard.settings).toBe(settings);
    expect(view()).toEqual(known);
    guard.handle({ kind: 'tick' });
    await clock.advance(9500);
    expect(requested).toEqual(['n1 0', 'n2 1000', 'n1 10000']);
  });

  it('does not restart a grace period if the same policies are loaded again', async () => {
    const { clock, guard, of, orders } = startGuard();
    await begin({ guard, clock }, 12_500);
    guard.reconfigure(settingsOf({ interval: 6000 }));
    await clock.advance(3000);
    expect([of('cancelled'), orders.length]).toEqual([[], 1]);
    await guard.stop(AbortSignal.abort());
  });

  it('confirms queries again that were protected before', async () => {
    const spared = settingsOf();
    const { clock, guard, orders } = startGuard({}, { ...spared, guard: { ...spared.guard, mode: 'observe' } });
    await begin({ guard, clock }, 15_500);
    guard.reconfigure(spared);
    await clock.advance(4500);
    expect(orders).toEqual([]);
    await clock.advance(6500);
    expect(orders).toHaveLength(1);
    await guard.stop(AbortSignal.abort());
  });

  it('cancels decisions without a matching policy', async () => {
    const { clock, guard, of, orders } = startGuard();
    await begin({ guard, clock }, 12_500);
    expect(of('began')).toHaveLength(1);
    guard.reconfigure(settingsOf({ guard: guardSection.parse({}) }));
    await clock.advance(60_000);
    expect(of('cancelled')).toMatchObject([{ skipReason: 'mode' }]);
    expect(orders).toEqual([]);
  });
});
