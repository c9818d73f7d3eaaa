import { describe, expect, it } from 'vitest';
import type { GuardRun } from '../../src/app/guard-run.ts';
import type { AbortAnswer } from '../../src/guard/decision/decision.ts';
import { idAt } from '../guard/listed.ts';
import { aborting, answered, begin, lostWith, running, type Ways } from './guard-running.ts';

const never = new AbortController().signal;

/** Stops a run, and tells whether that is over by now. */
function stopping({ run }: { readonly run: GuardRun }, signal = never) {
  const stop = { isOver: false };
  async function end(): Promise<void> {
    await run.stop(signal);
    stop.isOver = true;
  }
  void end();
  return stop;
}

describe('the stop of a run', () => {
  it('gives up what has no intent, and leaves nothing behind', async () => {
    const scene = running();
    await begin(scene, 12_500);
    await scene.run.stop(never);
    expect(scene.of('cancelled')).toMatchObject([{ doubt: 'stopping' }]);
    expect(scene.clock.sleeping).toBe(0);
  });

  it('takes nothing any more when it is over', async () => {
    const { run, clock, told, hear, asked } = await aborting();
    await run.stop(never);
    const { state } = run;
    const before = [told.length, asked.length];
    hear();
    run.take({ kind: 'manual', node: 'n1', id: idAt(0), by: 'alice', reason: 'stuck', whilePaused: true });
    await clock.advance(60_000);
    expect(run.state).toBe(state);
    expect([told.length, asked.length]).toEqual(before);
    await run.stop(never);
    expect(clock.sleeping).toBe(0);
  });

  it('waits for the answer to an abort', async () => {
    const reply = Promise.withResolvers<AbortAnswer>();
    const scene = await aborting({ abort: () => reply.promise });
    const stop = stopping(scene);
    await scene.clock.advance(1000);
    expect(stop.isOver).toBe(false);
    reply.resolve(answered([idAt(0)]));
    await scene.clock.advance(100);
    expect(stop.isOver).toBe(true);
    expect([...scene.run.state.decisions.values()]).toMatchObject([{ phase: 'verifying', answer: 'named' }]);
    expect(scene.clock.sleeping).toBe(0);
  });

  it('waits for an intent on its way to the disk, which is withdrawn then', async () => {
    const scene = await aborting({ commit: () => undefined });
    const stop = stopping(scene);
    await scene.clock.advance(1000);
    expect(stop.isOver).toBe(false);
    const [key = ''] = scene.run.state.decisions.keys();
    scene.run.take({ kind: 'committed', key, isOnDisk: true });
    await scene.clock.advance(100);
    expect(stop.isOver).toBe(true);
    expect(scene.of('outcome')).toMatchObject([{ outcome: 'withdrawn', doubt: 'stopping' }]);
    expect(scene.orders).toEqual([]);
    expect(scene.clock.sleeping).toBe(0);
  });

  it.each<readonly [string, Partial<Ways>]>([
    ['an abort', { abort: (_, signal) => lostWith(signal) }],
    ['a commit', { commit: () => undefined }],
  ])('does not wait for %s beyond its signal', async (_, ways) => {
    const scene = await aborting(ways);
    const over = new AbortController();
    const stop = stopping(scene, over.signal);
    await scene.clock.advance(5000);
    expect(stop.isOver).toBe(false);
    over.abort();
    await scene.clock.settle();
    expect(stop.isOver).toBe(true);
    expect(scene.run.state.decisions.size).toBe(1);
    expect(scene.of('outcome')).toEqual([]);
    expect(scene.clock.sleeping).toBe(0);
  });

  it('does not wait for lists: whoever reads them ends them', async () => {
    const scene = running({ list: () => new Promise(() => undefined) });
    scene.run.take({ kind: 'beat' });
    const stop = stopping(scene);
    await scene.clock.settle();
    expect(stop.isOver).toBe(true);
    expect(scene.clock.sleeping).toBe(0);
  });
});
