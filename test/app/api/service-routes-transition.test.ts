import { describe, expect, it } from 'vitest';
import { reportTransition } from '../../../src/app/api/service-routes.ts';
import type { Transition } from '../../../src/model/transition.ts';

const now = Date.UTC(2026, 8, 22, 12);

const transition: Transition = {
  cluster: 'prod',
  service: 'GPE',
  partition: '1',
  replica: '2',
  at: now,
  from: 'Online',
  to: 'Down',
  process: 'Stopped',
  eventId: 'e1',
  eventNs: '1790000000000000009',
  duration: 1500,
  source: 'm1',
};

describe('transition report', () => {
  it('has its time as text and the duration in seconds', () => {
    expect(reportTransition(transition)).toEqual({
      at: '2026-09-22T12:00:00.000Z',
      cluster: 'prod',
      service: 'GPE',
      partition: '1',
      replica: '2',
      from: 'Online',
      to: 'Down',
      lastedSeconds: 1.5,
      process: 'Stopped',
      source: 'm1',
      eventId: 'e1',
      eventNs: '1790000000000000009',
    });
  });

  it('has no duration if it is unknown', () => {
    const { duration: _, ...first } = transition;
    expect(reportTransition(first).lastedSeconds).toBeNull();
  });
});
