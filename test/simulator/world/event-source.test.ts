import { describe, expect, it } from 'vitest';
import { type EventSource, runEventsUntil } from '../../../src/simulator/world/event-source.ts';

function every(period: number, name: string, log: string[]): EventSource {
  let next = period;
  return {
    nextEventAt: () => next,
    runEvent(at) {
      log.push(`${name}@${at}`);
      next += period;
    },
  };
}

describe('runEventsUntil', () => {
  it('runs events in the order of their times, including those at the end', () => {
    const log: string[] = [];
    runEventsUntil([every(30, 'slow', log), every(20, 'quick', log)], 60);
    expect(log).toEqual(['quick@20', 'slow@30', 'quick@40', 'slow@60', 'quick@60']);
  });

  it('continues from its last time', () => {
    const log: string[] = [];
    const activities = [every(20, 'quick', log)];
    for (const end of [10, 19, 20, 20, 45]) runEventsUntil(activities, end);
    expect(log).toEqual(['quick@20', 'quick@40']);
  });

  it('returns without further events', () => {
    const never: EventSource = {
      nextEventAt: () => Number.POSITIVE_INFINITY,
      runEvent: () => {
        throw new Error('never');
      },
    };
    expect(() => runEventsUntil([never], 1e15)).not.toThrow();
    expect(() => runEventsUntil([], 1e15)).not.toThrow();
  });
});
