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
  it('drops decisions without an intent, and leaves no timers', async () => {
    const setup = startGuard();
    await begin(setup, 12_500);
    await setup.guard.stop(never);
    expect(setup.of('cancelled')).toMatchObject([{ skipReason: 'stopping' }]);
    expect(setup.clock.sleeping).toBe(0);
  });

  it('ignores inputs and commands after the stop', async () => {
    const { guard, clock, reported, receive, requested } = await runUntilAbort();
    await guard.stop(never);
    const { state } = guard;
    const before = [reported.length, requested.length];
    receive();
    guard.handle({ kind: 'manual', node: 'n1', id: idAt(0), by: 'alice', reason: 'stuck', whilePaused: true });
    await clock.advance(60_000);
    expect(guard.state).toBe(state);
    expect([reported.length, requested.length]).toEqual(before);
    await guard.stop(never);
    expect(clock.sleeping).toBe(0);
  });

  it('waits for the answer to an abort', async () => {
    const reply = Promise.withResolvers<AbortReply>();
    const setup = await runUntilAbort({ abort: (_, __, mayWrite) => (mayWrite() ? reply.promise : expect.fail()) });
    const stop = stopping(setup);
    await setup.clock.advance(1000);
    expect(stop.isOver).toBe(false);
    reply.resolve(answered([idAt(0)]));
    await setup.clock.advance(100);
    expect(stop.isOver).toBe(true);
    expect([...setup.guard.state.decisions.values()]).toMatchObject([{ phase: 'verifying', answer: 'named' }]);
    expect(setup.clock.sleeping).toBe(0);
  });

  it('does not send an abort whose last check of the pause file finds the file', async () => {
    const file = { check: (): void => undefined };
    const checkPause = async () => {
      file.check();
      return true;
    };
    const setup = startGuard({ checkPause });
    file.check = () => setup.guard.handle({ kind: 'paused', isPaused: true });
    await begin(setup);
    expect(setup.of('abort')).toHaveLength(1);
    expect(setup.of('outcome')).toMatchObject([{ outcome: 'withdrawn', skipReason: 'paused' }]);
  });

  it('waits for an intent that is being written, and withdraws it', async () => {
    const setup = await runUntilAbort({ commit: () => undefined });
    const stop = stopping(setup);
    await setup.clock.advance(1000);
    expect(stop.isOver).toBe(false);
    const [key = ''] = setup.guard.state.decisions.keys();
    setup.guard.handle({ kind: 'committed', key, isOnDisk: true });
    await setup.clock.advance(100);
    expect(stop.isOver).toBe(true);
    expect(setup.of('outcome')).toMatchObject([{ outcome: 'withdrawn', skipReason: 'stopping' }]);
    expect(setup.orders).toEqual([]);
    expect(setup.clock.sleeping).toBe(0);
  });

  it.each<readonly [string, Partial<GuardBehavior>]>([
    ['an abort', { abort: (_, signal) => lostWith(signal) }],
    ['a commit', { commit: () => undefined }],
  ])('does not wait for %s beyond its signal', async (_, ways) => {
    const setup = await runUntilAbort(ways);
    const over = new AbortController();
    const stop = stopping(setup, over.signal);
    await setup.clock.advance(5000);
    expect(stop.isOver).toBe(false);
    over.abort();
    await setup.clock.settle();
    expect(stop.isOver).toBe(true);
    expect(setup.guard.state.decisions.size).toBe(1);
    expect(setup.of('outcome')).toEqual([]);
    expect(setup.clock.sleeping).toBe(0);
  });

  it('does not wait for lists: the poller ends their requests', async () => {
    const setup = startGuard({ list: () => new Promise(() => undefined) });
    setup.guard.handle({ kind: 'tick' });
    const stop = stopping(setup);
    await setup.clock.settle();
    expect(stop.isOver).toBe(true);
    expect(setup.clock.sleeping).toBe(0);
  });
});
