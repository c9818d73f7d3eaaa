import { describe, expect, it } from 'vitest';
import {
  alternatingStatuses,
  FlappingScenario,
  failedPoll,
  flappingPatterns,
  pollsPerHour,
} from './flapping-scenario.ts';

const minute = 12;

describe('a flapping service without another replica', () => {
  it.each(flappingPatterns)(
    'down %i, up %i: causes at most three notifications in an hour, then resolves',
    async (down, up) => {
      const story = new FlappingScenario([]);
      await story.poll(...alternatingStatuses(0, 1, 30), ...alternatingStatuses(down, up, pollsPerHour));
      expect(story.notifications.length, story.notifications.join(', ')).toBeLessThanOrEqual(3);
      await story.poll(...alternatingStatuses(0, 1, 30 * minute));
      expect(story.open).toEqual([]);
      // The resolve is one of the three.
      if (down === up) expect(story.notifications.length, story.notifications.join(', ')).toBeLessThanOrEqual(3);
    },
  );

  it.each(flappingPatterns)('down %i, up %i, after an outage: sends the pending resolve', async (down, up) => {
    const story = new FlappingScenario([]);
    await story.poll(...alternatingStatuses(0, 1, 30), ...alternatingStatuses(1, 0, 3 * minute));

    await story.poll(...alternatingStatuses(down, up, pollsPerHour));
    expect(story.notifications.length - 1, story.notifications.join(', ')).toBeLessThanOrEqual(3);
    await story.poll(...alternatingStatuses(0, 1, 30 * minute));

    expect(story.open).toEqual([]);
  });
});

describe('a service that is down for a moment before polls fail', () => {
  it('causes no notification if it is online when polls succeed again', async () => {
    const story = new FlappingScenario([]);
    await story.poll(
      ...alternatingStatuses(0, 1, 30),
      'Down',
      'Down',
      'Down',
      ...Array.from({ length: pollsPerHour }, () => failedPoll),
    );
    await story.poll(...alternatingStatuses(0, 1, 30));
    expect(story.notifications).toEqual([]);
  });

  it('causes a notification if it is still down when polls succeed again', async () => {
    const story = new FlappingScenario([]);
    await story.poll(
      ...alternatingStatuses(0, 1, 30),
      'Down',
      'Down',
      'Down',
      ...Array.from({ length: pollsPerHour }, () => failedPoll),
    );
    expect(story.notifications).toEqual([]);
    await story.poll('Down');
    expect(story.notifications).toEqual(['trigger service_not_online']);
  });
});
