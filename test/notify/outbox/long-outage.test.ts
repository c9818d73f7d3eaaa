import { describe, expect, it } from 'vitest';
import { type Severity, severities } from '../../../src/model/alert.ts';
import type { Answer, Letter, NotifierTraits } from '../../../src/notify/notifier.ts';
import { Delivering, firing, hour, serverError, unreachable } from '../delivering.ts';

const places = 500;
const open = 60;

function severityOf(place: number): Severity {
  return severities[place % 3] ?? 'info';
}

/** Incidents that begin and end all day long while the receiver is out; the newest `open` of them stay. */
async function longDay(answer: Answer, traits: Partial<NotifierTraits>, events = 100_000): Promise<Delivering> {
  const delivering = await new Delivering({ one: traits }).begin();
  const { deliverer, clock, store } = delivering;
  delivering.get().otherwise = answer;
  const to = [{ receiver: 'one', group: {}, groupWait: 0 }];
  for (let event = 0; event < events / 2; event += 1) {
    const place = event % places;
    const alert = firing(`place ${place}`, Math.floor(event / places) + 1, severityOf(place));
    const now = clock.now();
    const began = deliverer.plan([{ kind: 'trigger', alert, again: false, to, due: now.wall }], now);
    await store.commit(began.changes);
    began.release();
    if (event < events / 2 - open) {
      const over = { ...alert, status: 'resolved', endsAt: now.wall } as const;
      const ended = deliverer.plan([{ kind: 'resolve', alert: over, due: now.wall }], now);
      await store.commit(ended.changes);
      ended.release();
    }
    if (event % 100 === 99) await clock.advance((24 * hour * 200) / events);
  }
  return delivering;
}

function alertsOf(letter: Letter) {
  return letter.kind === 'alerts' ? letter.alerts : [];
}

/** Keys of the closed incidents that were told, but for those that were on their way when the receiver went away. */
function pagedForNothing(delivering: Delivering, from: number): readonly string[] {
  const told = delivering
    .get()
    .got.slice(from)
    .flatMap(({ letter }) => alertsOf(letter));
  return told.filter(({ status }) => status === 'resolved').map(({ key }) => key);
}

describe('a day without the receiver and 100,000 events', () => {
  it.each([
    ['unreachable', unreachable, 100_000],
    ['failing', serverError, 20_000],
  ])(
    'ends with one digest and the open incidents by severity, where it was %s',
    async (_, answer, events) => {
      const delivering = await longDay(answer, { batch: 1, spacing: 1000 }, events);
      const rows = await delivering.rows('lanes');
      expect(rows.length).toBeLessThan(places + 2);
      expect(JSON.stringify(rows).length).toBeLessThan(1_000_000);
      expect((await delivering.rows('notifications')).length).toBeLessThan(1000);
      const before = delivering.get().got.length;
      delivering.get().otherwise = { kind: 'accepted' };
      await delivering.clock.advance(hour);
      const story = delivering.get().story.slice(before);
      const [digest, ...triggers] = delivering.get().got.slice(before);
      expect(digest?.letter).toMatchObject({ kind: 'digest', since: expect.any(Number) });
      expect(digest?.letter.kind === 'digest' && digest.letter.count).toBeGreaterThan(events / 2 - open - 10);
      expect(story.filter((line) => line.startsWith('digest'))).toHaveLength(1);
      const ranks = triggers
        .flatMap(({ letter }) => alertsOf(letter))
        .map(({ severity }) => severities.indexOf(severity));
      expect(ranks.filter((rank, at) => at > 0 && rank < (ranks[at - 1] ?? 0)).length).toBeLessThan(2);
      expect(triggers.filter(({ letter }) => alertsOf(letter)[0]?.status === 'firing').length).toBeGreaterThanOrEqual(
        open,
      );
      expect(pagedForNothing(delivering, before).length).toBeLessThan(5);
      expect(delivering.view()).toMatchObject({ depth: 0, parked: 0, failing: false });
    },
    60_000,
  );

  it('stays within a limit a minute of a receiver without digests, and pages nothing that is over', async () => {
    const delivering = await longDay(unreachable, { batch: 1, perMinute: 20, takesDigests: false }, 20_000);
    const before = delivering.get().got.length;
    delivering.get().otherwise = { kind: 'accepted' };
    await delivering.clock.advance(hour);
    const got = delivering.get().got.slice(before);
    for (const { at } of got)
      expect(got.filter((other) => other.at >= at && other.at < at + 60_000).length).toBeLessThan(21);
    expect(got.every(({ letter }) => letter.kind === 'alerts')).toBe(true);
    const told = new Set(got.flatMap(({ letter }) => alertsOf(letter)).map(({ key }) => key));
    expect(told.size).toBeGreaterThanOrEqual(open);
    expect(pagedForNothing(delivering, before).length).toBeLessThan(15);
    expect(delivering.view()).toMatchObject({ depth: 0, failing: false });
  }, 180_000);
});
