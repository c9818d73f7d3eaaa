import { describe, expect, it } from 'vitest';
import { newEpisode } from '../../../src/notify/outbox/episode.ts';
import { type Folded, foldedSince, nothingFolded, withFolded } from '../../../src/notify/outbox/folded.ts';
import { firing } from '../delivering.ts';

const to = { receiver: 'one', group: {}, groupWait: 0 };
const now = { wall: 0, mono: 0 };

function folded(count: number, before: Folded = nothingFolded): Folded {
  let all = before;
  for (let number = 1; number <= count; number += 1) {
    const alert = { ...firing('a', before.count + number), status: 'resolved', endsAt: 2000 } as const;
    all = withFolded(all, newEpisode(alert, to, 0, now));
  }
  return all;
}

describe('what was folded', () => {
  it('is told with its times and its summary', () => {
    expect(folded(1)).toEqual({
      count: 1,
      newest: [{ key: 'a', episode: 1, summary: 'a is wrong', severity: 'critical', startsAt: 1000, endsAt: 2000 }],
    });
  });

  it('keeps the newest fifty, and counts all', () => {
    const all = folded(120);
    expect(all.count).toBe(120);
    expect(all.newest.map(({ episode }) => episode)).toEqual(Array.from({ length: 50 }, (_, at) => 71 + at));
  });

  it('stays small whatever the summaries are', () => {
    const alert = { ...firing('a'), annotations: { summary: 'x'.repeat(100_000) } };
    expect(withFolded(nothingFolded, newEpisode(alert, to, 0, now)).newest[0]?.summary).toHaveLength(300);
  });

  it('has a summary and an end even where the alert has none', () => {
    const alert = { ...firing('a'), annotations: {} };
    expect(withFolded(nothingFolded, newEpisode(alert, to, 0, now)).newest[0]).toMatchObject({
      summary: '',
      endsAt: 1000,
    });
  });

  it.each([
    [3, 0],
    [3, 2],
    [70, 5],
    [70, 60],
  ])('leaves what came in after %d of them were told: %d', (told, later) => {
    const before = folded(told);
    const rest = foldedSince(folded(later, before), before);
    expect(rest.count).toBe(later);
    expect(rest.newest).toHaveLength(Math.min(50, later));
    expect(rest.newest.at(-1)?.episode).toBe(later === 0 ? undefined : told + later);
  });
});
