import { describe, expect, it } from 'vitest';
import type { ClusterGuard } from '../../../src/app/guard/cluster-guard.ts';
import type { AbortReply } from '../../../src/graphdb/abort-reply.ts';
import { idAt } from '../../guard/observations.ts';
import { answered, begin, type GuardBehavior, lostWith, runUntilAbort, startGuard } from './cluster-guard-steps.ts';

const never = new AbortController().signal;

/** Stops the guard. The result shows whether the stop is complete. */
function stopping({ guard }: { readonly guard: ClusterGuard }, signal = never) {
  const stop = { isOver: false };
  async function end(): Promise<void> {
    await guard.stop(signal);
    stop.isOver = true;
  }
  void end();
  return stop;
}

describe('the stop of a run', () => {
  it('gives up what has no intent, and leaves nothing behind', async () => {
    const scene = startGuard();
    await begin(scene, 12_500);
    await scene.guard.stop(never);
    expect(scene.of('cancelled')).toMatchObject([{ skipReason: 'stopping' }]);
    expect(scene.clock.sleeping).toBe(0);
  });

  it('takes nothing any more when it is over', async () => {
    const { guard, clock, reported, receive, asked } = await runUntilAbort();
    await guard.stop(never);
    const { state } = guard;
    const before = [reported.length, asked.length];
    receive();
    guard.handle({ kind: 'manual', node: 'n1', id: idAt(0), by: 'alice', reason: 'stuck', whilePaused: true });
    await clock.advance(60_000);
    expect(guard.state).toBe(state);
    expect([reported.length, asked.length]).toEqual(before);
    await guard.stop(never);
    expect(clock.sleeping).toBe(0);
  });

  it('waits for the answer to an abort', async () => {
    const reply = Promise.withResolvers<AbortReply>();
    const scene = await runUntilAbort({ abort: () => reply.promise });
    const stop = stopping(scene);
    await scene.clock.advance(1000);
    expect(stop.isOver).toBe(false);
    reply.resolve(answered([idAt(0)]));
    await scene.clock.advance(100);
    expect(stop.isOver).toBe(true);
    expect([...scene.guard.state.decisions.values()]).toMatchObject([{ phase: 'verifying', answer: 'named' }]);
    expect(scene.clock.sleeping).toBe(0);
  });

  it('waits for an intent on its way to the disk, which is withdrawn then', async () => {
    const scene = await runUntilAbort({ commit: () => undefined });
    const stop = stopping(scene);
    await scene.clock.advance(1000);
    expect(stop.isOver).toBe(false);
    const [key = ''] = scene.guard.state.decisions.keys();
    scene.guard.handle({ kind: 'committed', key, isOnDisk: true });
    await scene.clock.advance(100);
    expect(stop.isOver).toBe(true);
    expect(scene.of('outcome')).toMatchObject([{ outcome: 'withdrawn', skipReason: 'stopping' }]);
    expect(scene.orders).toEqual([]);
    expect(scene.clock.sleeping).toBe(0);
  });

  it.each<readonly [string, Partial<GuardBehavior>]>([
    ['an abort', { abort: (_, signal) => lostWith(signal) }],
    ['a commit', { commit: () => undefined }],
  ])('does not wait for %s beyond its signal', async (_, ways) => {
    const scene = await runUntilAbort(ways);
    const over = new AbortController();
    const stop = stopping(scene, over.signal);
    await scene.clock.advance(5000);
    expect(stop.isOver).toBe(false);
    over.abort();
    await scene.clock.settle();
    expect(stop.isOver).toBe(true);
    expect(scene.guard.state.decisions.size).toBe(1);
    expect(scene.of('outcome')).toEqual([]);
    expect(scene.clock.sleeping).toBe(0);
  });

  it('does not wait for lists: the poller ends their requests', async () => {
    const scene = startGuard({ list: () => new Promise(() => undefined) });
    scene.guard.handle({ kind: 'beat' });
    const stop = stopping(scene);
    await scene.clock.settle();
    expect(stop.isOver).toBe(true);
    expect(scene.clock.sleeping).toBe(0);
  });
});
