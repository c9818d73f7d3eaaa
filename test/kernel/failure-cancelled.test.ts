import { expect, it } from 'vitest';
import { cancelled, isCancelled } from '../../src/kernel/failure.ts';

it('isCancelled distinguishes a cancelled request from one that timed out', () => {
  const [open, late, unwanted] = [new AbortController(), new AbortController(), new AbortController()];
  late.abort();
  unwanted.abort(cancelled);
  expect([open, late, unwanted].map(({ signal }) => isCancelled(signal))).toEqual([false, false, true]);
});

it('isCancelled supports a signal that is combined from others', () => {
  const [deadline, stop] = [new AbortController(), new AbortController()];
  const both = AbortSignal.any([deadline.signal, stop.signal]);
  both.addEventListener('abort', () => undefined);
  stop.abort(cancelled);
  deadline.abort();
  expect(isCancelled(both)).toBe(true);
});
