import { describe, expect, it } from 'vitest';
import type { Severity } from '../../../src/model/alert.ts';
import type { NotifierTraits } from '../../../src/notify/notifier.ts';
import type { AlertQueue } from '../../../src/notify/outbox/alert-queue.ts';
import { newQueuedIncident, type QueuedIncident } from '../../../src/notify/outbox/queued-incident.ts';
import type { RetryPreference } from '../../../src/notify/outbox/receiver-health.ts';
import { selectRequest } from '../../../src/notify/outbox/select-request.ts';
import { firing, unlimited } from '../delivery-testbed.ts';

const now = { wall: 1_000_000, mono: 100_000 };

interface Given {
  readonly severity?: Severity;
  readonly group?: string;
  readonly failures?: number;
  readonly from?: number;
  readonly maxBatch?: number;
}

function queue(key: string, given: Given = {}, changes: Partial<QueuedIncident> = {}): AlertQueue {
  const { severity = 'critical', group = '', failures = 0, from = now.mono, maxBatch = 1000 } = given;
  const to = { receiver: 'one', group: { group }, groupWait: 0 };
  const retry = { from, failures, detail: 'full', maxBatch } as const;
  return { key, incidents: [{ ...newQueuedIncident(firing(key, 1, severity), to, 700, now), retry, ...changes }] };
}

/** Returns the alert keys in the order of the request, or the time of the next check. */
function chosen(
  queues: readonly AlertQueue[],
  traits: Partial<NotifierTraits> = {},
  preference: RetryPreference = 'fresh',
) {
  const choice = selectRequest(queues, { ...unlimited, ...traits }, now, { preference });
  return 'request' in choice ? [...choice.attempts.keys()].join(' ') : choice.at;
}

describe('selected request', () => {
  it.each<[string, readonly AlertQueue[], Partial<NotifierTraits>, string | number | undefined]>([
    ['no alert without a pending notification', [queue('a', {}, { deliveryState: 'yes' })], {}, undefined],
    ['no alert before its time', [queue('a', { from: 100_500 }), queue('b', { from: 100_200 })], {}, 100_200],
    ['the highest severity first', [queue('a', { severity: 'info' }), queue('b')], { maxBatch: 1 }, 'b'],
    ['the oldest of equal severity first', [queue('a'), queue('b', {}, { due: 600 })], { maxBatch: 1 }, 'b'],
    [
      'all alerts of a group',
      [queue('a', { group: 'x' }), queue('b', { group: 'y' }), queue('c', { group: 'x' })],
      {},
      'a c',
    ],
    ['an alert in its group wait together with its group', [queue('a'), queue('b', { from: 200_000 })], {}, 'a b'],
    ['no alert in backoff', [queue('a'), queue('b', { from: 200_000, failures: 1 })], {}, 'a'],
    ['as many alerts as the batch limit allows', [queue('a'), queue('b'), queue('c')], { maxBatch: 2 }, 'a b'],
    [
      'as many alerts as the limit after a rejected request allows',
      [queue('a', { maxBatch: 2 }), queue('b'), queue('c')],
      {},
      'a b',
    ],
    [
      'no alert that must be sent alone together with others',
      [queue('a'), queue('b', { maxBatch: 1 }), queue('c')],
      {},
      'a',
    ],
    [
      'no reminder together with triggers',
      [queue('a'), queue('b', {}, { deliveryState: 'yes', again: true })],
      {},
      'a',
    ],
    [
      'several groups for a level-triggered receiver',
      [queue('a', { group: 'x' }), queue('b')],
      { isLevelTriggered: true },
      'a b',
    ],
    [
      'an alert whose refresh is due',
      [queue('a', { from: 40_000 }, { deliveryState: 'yes' })],
      { isLevelTriggered: true },
      'a',
    ],
    [
      'alerts whose refresh is soon due as well',
      refreshes(40_000, 70_000, 70_001),
      { isLevelTriggered: true },
      '40000 70000',
    ],
    ['no refresh before it is due', refreshes(50_000, 70_000), { isLevelTriggered: true }, 110_000],
    ['no refresh for a receiver that is not level-triggered', refreshes(40_000), {}, undefined],
  ])('contains %s', (_, queues, traits, expected) => {
    expect(chosen(queues, traits)).toBe(expected);
  });

  it.each<[RetryPreference, string]>([
    ['fresh', 'b'],
    ['tried', 'a'],
  ])('after failures follows the preference %s', (preference, expected) => {
    const queues = [queue('a', { failures: 2, severity: 'info' }), queue('b', { severity: 'warning' })];
    expect(chosen(queues, { maxBatch: 1 }, preference)).toBe(expected);
    expect(chosen(queues.toReversed(), { maxBatch: 1 }, preference)).toBe(expected);
  });
});

function refreshes(...times: readonly number[]): readonly AlertQueue[] {
  return times.map((from) => queue(String(from), { from }, { deliveryState: 'yes' }));
}

describe('request', () => {
  it('reports a trigger as firing even if the alert is resolved', () => {
    const alert = { ...firing('a'), status: 'resolved', endsAt: 5000 } as const;
    const choice = selectRequest([queue('a', {}, { deliveryState: 'maybe', alert })], unlimited, now);
    expect(choice).toMatchObject({
      request: { kind: 'alerts', isReminder: false, alerts: [firing('a')] },
      detail: 'full',
      attempts: new Map([['a', { action: 'trigger', episode: 1, before: 'maybe' }]]),
    });
  });

  it('is a reminder for an accepted incident', () => {
    const reminder = selectRequest([queue('a', {}, { deliveryState: 'yes', again: true })], unlimited, now);
    expect(reminder).toMatchObject({ request: { kind: 'alerts', isReminder: true } });
  });
});
