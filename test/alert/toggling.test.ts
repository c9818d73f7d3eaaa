import { describe, expect, it } from 'vitest';
import { all, hour, Story, turns } from './story.ts';

const minute = 12;

describe('a service that comes and goes for an hour', () => {
  it.each(all)('down %i, up %i: is told of in three messages at most, and its recovery', async (down, up) => {
    const story = new Story(['2']);
    await story.read(...turns(0, 1, 30), ...turns(down, up, hour));
    expect(story.said.length, story.said.join(', ')).toBeLessThanOrEqual(3);
    await story.read(...turns(0, 1, 30 * minute));
    expect(story.open).toEqual([]);
  });

  it.each(all.filter(([down, up]) => down === up))(
    'down %i, up %i: the recovery is among the three',
    async (down, up) => {
      const story = new Story(['2']);
      await story.read(...turns(0, 1, 30), ...turns(down, up, hour), ...turns(0, 1, 30 * minute));
      expect(story.said.length, story.said.join(', ')).toBeLessThanOrEqual(3);
    },
  );

  it.each(all)('down %i, up %i, after it was down: its recovery is owed and told', async (down, up) => {
    const story = new Story(['2']);
    await story.read(...turns(0, 1, 30), ...turns(1, 0, 3 * minute));
    expect(story.said).toEqual(['trigger service_not_online']);
    await story.read(...turns(down, up, hour));
    expect(story.said.length - 1, story.said.join(', ')).toBeLessThanOrEqual(3);
    await story.read(...turns(0, 1, 30 * minute));
    expect(story.said).toContain('resolve service_not_online');
    expect(story.open).toEqual([]);
  });
});
