import { describe, expect, it } from 'vitest';
import { ListTimer, serverTime } from '../../../src/app/poll/list-timer.ts';
import type { CompletedCall } from '../../../src/graphdb/completed-call.ts';
import { ok } from '../../../src/kernel/result.ts';
import { completedCall } from '../../support/completed-call.ts';

function call(name: CompletedCall['name'], length: number, queued?: number): CompletedCall {
  const started = { wall: 7000, mono: 100 };
  const ended = { wall: 7000 + length, mono: 100 + length };
  return { ...completedCall, name, started, ended, ...(queued !== undefined && { queued }) };
}

describe('list timer', () => {
  it('sums the lists of a poll, without other requests', () => {
    const timer = new ListTimer();
    expect(timer.read()).toBe(0);
    for (const name of ['processListAll', 'processList', 'delayedList', 'ping', 'endpoints'] as const)
      timer.onCall(call(name, 10));
    expect(timer.read()).toBe(30);
  });

  it('does not count the time for which a list waited for a connection', () => {
    const timer = new ListTimer();
    timer.onCall(call('processListAll', 900, 600));
    timer.onCall(call('processListAll', 900, 901));
    expect(timer.read()).toBe(300);
  });

  it('passes each request on', () => {
    const seen: CompletedCall[] = [];
    const timer = new ListTimer({ onCall: (one) => seen.push(one) });
    const calls = [call('ping', 1), call('processListAll', 2)];
    for (const one of calls) timer.onCall(one);
    expect(seen).toEqual(calls);
  });
});

const instant = (mono: number) => ({ wall: 0, mono });

describe('server time of a poll', () => {
  const poll = { result: ok(1), source: 'm1', started: instant(100), ended: instant(2100) };

  it.each([
    ['the time of its lists', { ...poll, listTime: 700 }, 3000, 700],
    ['its duration if it is no list', poll, 3000, 2000],
    ['at most its duration, if it lists several graphs at once', { ...poll, listTime: 2500 }, 3000, 2000],
    ['at most its timeout, if the process was stopped', { ...poll, ended: instant(60_000) }, 3000, 3000],
  ])('is %s', (_, result, timeout, expected) => {
    expect(serverTime(result, timeout)).toBe(expected);
  });
});
