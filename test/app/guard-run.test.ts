import { describe, expect, it } from 'vitest';
import type { AbortAnswer } from '../../src/guard/decision/decision.ts';
import type { AbortOrder } from '../../src/guard/decision/output.ts';
import { guardSection } from '../../src/guard/section.ts';
import { failure } from '../../src/kernel/failure.ts';
import { idAt } from '../guard/listed.ts';
import { aborting, begin, lostWith, nothing, running, settingsOf } from './guard-running.ts';

describe('the run of a guard', () => {
  it('asks for lists as they are due', async () => {
    const { clock, run, asked, view } = running();
    run.restore(nothing);
    await clock.advance(11_000);
    expect(asked).toEqual(['n1 0', 'n1 5000', 'n1 10000']);
    expect(view()).toMatchObject({ voids: 0, list: { address: '10.0.0.1:1' } });
  });

  it('has one nap at a time, however often it is woken', async () => {
    const { clock, run, asked } = running();
    for (let beat = 0; beat < 5; beat += 1) {
      run.take({ kind: 'beat' });
      await clock.advance(900);
      expect(clock.sleeping).toBe(1);
    }
    expect(asked).toHaveLength(1);
  });

  it('goes from the lists to one abort, and is urgent only for what the abort needs', async () => {
    const { clock, asked, orders, of } = await aborting();
    await clock.advance(60_000);
    expect(orders).toMatchObject([{ node: 'n1', id: idAt(0), graph: 'fraud', address: '10.0.0.1:1' }]);
    expect(of('outcome')).toMatchObject([{ outcome: 'confirmed' }]);
    const purposes = of('list').map((output) => (output.kind === 'list' ? output.purpose : ''));
    const urgent = purposes.map((purpose) => purpose === 'fresh' || purpose === 'verify');
    expect(asked.map((one) => one.endsWith(' urgent'))).toEqual(urgent);
    expect(new Set(urgent)).toEqual(new Set([true, false]));
  });

  it('waits for the intent to be on disk', async () => {
    const { of, orders } = await aborting({ commit: () => false });
    expect(orders).toEqual([]);
    expect(of('outcome')).toMatchObject([{ outcome: 'withdrawn', doubt: 'audit' }]);
  });

  it('takes readings of pressure', () => {
    const { run } = running();
    const pressure = { node: 'n1', source: 'queue_depth', value: 7, at: 0, interval: 5000 } as const;
    run.pressed(pressure);
    expect([...run.state.readings.values()]).toEqual([pressure]);
  });
});

describe('a list', () => {
  it('that was asked for and not heard is none', async () => {
    const { clock, run, view, of } = running({ list: async () => true });
    run.take({ kind: 'beat' });
    await clock.settle();
    expect(view()).toMatchObject({ voids: 1, pace: { isAsking: false } });
    expect(of('void')).toMatchObject([{ node: 'n1', reason: 'failed' }]);
  });

  it('that was heard while it was asked for is no other one that is missing', async () => {
    const scene = running({ list: async () => heardLate() });
    async function heardLate(): Promise<boolean> {
      await scene.clock.sleep(100);
      scene.hear();
      return true;
    }
    scene.run.take({ kind: 'beat' });
    await scene.clock.advance(200);
    expect(scene.view()).toMatchObject({ voids: 0, pace: { isAsking: false } });
    expect(scene.of('void')).toEqual([]);
  });

  it('that failed while it was asked for is void once', async () => {
    const scene = running({ list: async () => failed() });
    async function failed(): Promise<boolean> {
      scene.hear('n1', failure('timeout', 'no answer'));
      return true;
    }
    scene.run.take({ kind: 'beat' });
    await scene.clock.settle();
    expect(scene.view()?.voids).toBe(1);
  });

  it('of another node says nothing of this one', async () => {
    const scene = running({ list: async (node) => node === 'n2' }, settingsOf({ nodes: ['n1', 'n2'] }));
    scene.run.take({ kind: 'beat' });
    scene.hear('n1');
    await scene.clock.settle();
    expect([scene.view('n1')?.voids, scene.view('n2')?.voids]).toEqual([0, 1]);
  });

  it('that was not asked for says nothing, and is asked for at the next beat', async () => {
    const { clock, run, view, asked } = running({ list: async () => false });
    run.take({ kind: 'beat' });
    await clock.settle();
    expect(view()).toMatchObject({ voids: 0, pace: { isAsking: false } });
    await clock.advance(5000);
    expect(asked).toEqual(['n1 0', 'n1 5000']);
  });

  it.each([
    ['failed', failure('unreachable', 'nobody is there')],
    ['malformed', failure('body', 'no JSON')],
    ['error', failure('body', 'an error', { code: 'REST-1' })],
  ])('is void as %s', (reason, failed) => {
    const { hear, of } = running({ list: () => new Promise(() => undefined) });
    hear('n1', failed);
    expect(of('void')).toEqual([{ kind: 'void', scope: 'node', node: 'n1', reason }]);
  });
});

describe('the answer to an abort', () => {
  it('is lost after ten seconds', async () => {
    const asked: number[] = [];
    const abort = async (_: AbortOrder, signal: AbortSignal): Promise<AbortAnswer> => {
      asked.push(scene.clock.now().mono);
      const answer = await lostWith(signal);
      asked.push(scene.clock.now().mono);
      return answer;
    };
    const scene = running({ abort });
    await begin(scene);
    await scene.clock.advance(9000);
    expect([...scene.run.state.decisions.values()]).toMatchObject([{ phase: 'sent' }]);
    await scene.clock.advance(1000);
    const [sent = 0, lost] = asked;
    expect(lost).toBe(sent + 10_000);
    expect([...scene.run.state.decisions.values()]).toMatchObject([{ phase: 'verifying', answer: 'lost' }]);
    await scene.clock.advance(25_000);
    expect(scene.of('outcome')).toMatchObject([{ outcome: 'still_running', pages: true }]);
  });

  it('leaves nobody to wait for the end of that time', async () => {
    const { clock, run } = await aborting();
    expect(run.state.decisions.size).toBe(1);
    expect(clock.sleeping).toBe(1);
  });
});

describe('other settings', () => {
  it('leave what is known, and count from the next step on', async () => {
    const { clock, run, asked, view } = running();
    run.restore(nothing);
    await clock.advance(1000);
    const known = view();
    const settings = settingsOf({ nodes: ['n1', 'n2'], interval: 10_000 });
    run.become(settings);
    expect(run.settings).toBe(settings);
    expect(view()).toEqual(known);
    run.take({ kind: 'beat' });
    await clock.advance(9500);
    expect(asked).toEqual(['n1 0', 'n2 1000', 'n1 10000']);
  });

  it('let a grace go on under the same policies, read anew', async () => {
    const { clock, run, of, orders } = running();
    await begin({ run, clock }, 12_500);
    run.become(settingsOf({ interval: 6000 }));
    await clock.advance(3000);
    expect([of('cancelled'), orders.length]).toEqual([[], 1]);
    await run.stop(AbortSignal.abort());
  });

  it('confirm anew what was spared until now', async () => {
    const spared = settingsOf();
    const { clock, run, orders } = running({}, { ...spared, guard: { ...spared.guard, mode: 'observe' } });
    await begin({ run, clock }, 15_500);
    run.become(spared);
    await clock.advance(4500);
    expect(orders).toEqual([]);
    await clock.advance(6500);
    expect(orders).toHaveLength(1);
    await run.stop(AbortSignal.abort());
  });

  it('end what nobody wants any more', async () => {
    const { clock, run, of, orders } = running();
    await begin({ run, clock }, 12_500);
    expect(of('began')).toHaveLength(1);
    run.become(settingsOf({ guard: guardSection.parse({}) }));
    await clock.advance(60_000);
    expect(of('cancelled')).toMatchObject([{ doubt: 'mode' }]);
    expect(orders).toEqual([]);
  });
});
