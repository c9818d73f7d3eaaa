import { describe, expect, it } from 'vitest';
import { all, blind, hour, Story, turns } from './story.ts';

const minute = 12;

describe('a service that comes and goes for an hour', () => {
  it.each(all)('down %i, up %i: is told of in three messages at most, and its recovery', async (down, up) => {
    const story = new Story([]);
    await story.read(...turns(0, 1, 30), ...turns(down, up, hour));
    expect(story.said.length, story.said.join(', ')).toBeLessThanOrEqual(3);
    await story.read(...turns(0, 1, 30 * minute));
    expect(story.open).toEqual([]);
  });

  it.each(all.filter(([down, up]) => down === up))(
    'down %i, up %i: the recovery is among the three',
    async (down, up) => {
      const story = new Story([]);
      await story.read(...turns(0, 1, 30), ...turns(down, up, hour), ...turns(0, 1, 30 * minute));
      expect(story.said.length, story.said.join(', ')).toBeLessThanOrEqual(3);
    },
  );

  it.each(all)('down %i, up %i, after it was down: its recovery is owed and told', async (down, up) => {
    const story = new Story([]);
    await story.read(...turns(0, 1, 30), ...turns(1, 0, 3 * minute));

    await story.read(...turns(down, up, hour));
    expect(story.said.length - 1, story.said.join(', ')).toBeLessThanOrEqual(3);
    await story.read(...turns(0, 1, 30 * minute));

    expect(story.open).toEqual([]);
  });
});

describe('a service that was down for a moment before nobody could ask', () => {
  it('and is well when it can be asked again, is told of nobody', async () => {
    const story = new Story([]);
    await story.read(...turns(0, 1, 30), 'Down', 'Down', 'Down', ...Array.from({ length: hour }, () => blind));
    await story.read(...turns(0, 1, 30));
    expect(story.said).toEqual([]);
  });

  it('and is still down, is told of as soon as that is seen', async () => {
    const story = new Story([]);
    await story.read(...turns(0, 1, 30), 'Down', 'Down', 'Down', ...Array.from({ length: hour }, () => blind));
    expect(story.said).toEqual([]);
    await story.read('Down');
    expect(story.said).toEqual(['trigger service_not_online']);
  });
});
