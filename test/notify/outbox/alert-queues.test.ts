import { describe, expect, it } from 'vitest';
import type { AlertQueue } from '../../../src/notify/outbox/alert-queue.ts';
import { AlertQueues } from '../../../src/notify/outbox/alert-queues.ts';
import { newQueuedIncident } from '../../../src/notify/outbox/queued-incident.ts';
import { firing } from '../delivery-testbed.ts';

function queue(key: string, severity: 'critical' | 'warning' = 'critical'): AlertQueue {
  const to = { receiver: 'one', group: {}, groupWait: 0 };
  return { key, incidents: [newQueuedIncident(firing(key, 1, severity), to, 0, { wall: 0, mono: 0 })] };
}

const now = { wall: 0, mono: 0 };
const emptyFirst = (one: AlertQueue): AlertQueue => (one.key === 'a' ? { ...one, incidents: [] } : one);

describe('alert queues', () => {
  it('store changes, and remove an empty queue with its row', () => {
    const queues = new AlertQueues('one', [queue('a'), queue('b')]);
    expect(queues.saveEach(emptyFirst, now)).toMatchObject([
      { table: 'lanes', drop: { receiver: 'one', key: 'a' } },
      { table: 'notifications', put: { receiver: 'one', key: 'a', result: 'superseded' } },
    ]);
    expect(queues.values().map(({ key }) => key)).toEqual(['b']);
    expect(queues.save({ queue: queue('c'), missed: [] }, now)).toMatchObject([
      { table: 'lanes', put: { receiver: 'one', key: 'c' } },
    ]);
    expect(queues.size).toBe(2);
  });

  it('are sendable unless they are held, and pages if their alert is critical', () => {
    const queues = new AlertQueues('one', [queue('a'), queue('b'), queue('w', 'warning')]);
    queues.hold('a');
    expect(queues.hasHeld).toBe(true);
    expect([...queues.sendable()].map(({ key }) => key)).toEqual(['b', 'w']);
    expect([...queues.pages()].map(({ key }) => key)).toEqual(['b']);
    queues.unhold('a');
    expect([...queues.pages()].map(({ key }) => key)).toEqual(['a', 'b']);
  });
});
