import { describe, expect, it } from 'vitest';
import { tell, tellEnd } from '../../src/alert/telling.ts';
import { episodeAt } from './episode-of.ts';

const now = { wall: Date.UTC(2026, 8, 22, 5), mono: 5000 };
const chat = { receiver: 'chat', group: { a: 'b' }, groupWait: 10, repeat: 0 };
const mail = { receiver: 'mail', group: {}, groupWait: 0, repeat: 60_000, fallback: 'chat' };
const episode = episodeAt('quick', { node: 'm1' });

describe('who does not know yet', () => {
  it('is told, and that is remembered', () => {
    const { notices, episode: next } = tell(episode, undefined, [chat, mail], { now });
    expect(notices).toMatchObject([{ kind: 'trigger', again: false, due: now.wall }]);
    expect(notices[0]?.kind === 'trigger' && notices[0].to).toEqual([
      { receiver: 'chat', group: { a: 'b' }, groupWait: 10 },
      { receiver: 'mail', group: {}, groupWait: 0, fallback: 'chat' },
    ]);
    expect(next.told).toEqual({ chat: now.wall, mail: now.wall });
    expect(tell(next, undefined, [chat, mail], { now })).toEqual({ episode: next, notices: [] });
  });

  it('is not told while it is held back, and is afterwards', () => {
    const held = { kind: 'silence', id: 's1' } as const;
    const quiet = tell(episode, held, [chat], { now });
    expect(quiet).toEqual({ episode: { ...episode, held }, notices: [] });
    const free = tell(quiet.episode, undefined, [chat], { now });
    expect(free.notices).toHaveLength(1);
    expect(free.episode.held).toBeUndefined();
  });
});

describe('what was explained', () => {
  const held = { kind: 'inhibition', by: 'elsewhere' } as const;
  const patient = { ...episode, hold: 60_000 };
  const later = (seconds: number) => ({ now: { wall: now.wall + seconds * 1000, mono: now.mono + seconds * 1000 } });

  it('is told when it holds on after the explanation is over', () => {
    const explained = tell(patient, held, [chat], { now }).episode;
    const over = tell(explained, undefined, [chat], later(10));
    expect(over).toMatchObject({ episode: { held }, notices: [] });
    expect(tell(over.episode, undefined, [chat], later(69)).notices).toEqual([]);
    const told = tell(over.episode, undefined, [chat], later(70));
    expect(told.notices).toHaveLength(1);
    expect([told.episode.held, told.episode.freeSince]).toEqual([undefined, undefined]);
  });

  it('begins to wait anew when it is explained again', () => {
    const over = tell({ ...patient, held }, undefined, [chat], { now }).episode;
    const again = tell(over, held, [chat], later(30)).episode;
    const free = tell(again, undefined, [chat], later(40)).episode;
    expect(tell(free, undefined, [chat], later(90)).notices).toEqual([]);
    expect(tell(free, undefined, [chat], later(100)).notices).toHaveLength(1);
  });

  it('does not wait after a silence', () => {
    const silenced = { ...patient, held: { kind: 'silence', id: 's' } as const };
    expect(tell(silenced, undefined, [chat], { now }).notices).toHaveLength(1);
  });
});

it.each([
  [59_999, 0],
  [60_000, 1],
])('reminds after %d ms: %d', (after, count) => {
  const told = { ...episode, told: { mail: now.wall - after, chat: 0 } };
  expect(tell(told, undefined, [chat, mail], { now }).notices).toHaveLength(count);
});

describe('the end', () => {
  it('is told where anybody heard of the beginning', () => {
    const [notice] = tellEnd({ ...episode, told: { chat: 1 } }, { now, externalUrl: 'https://w.example.org' });
    expect(notice).toMatchObject({
      kind: 'resolve',
      due: now.wall,
      alert: {
        key: episode.key,
        episode: 7,
        status: 'resolved',
        endsAt: now.wall,
        generatorUrl: 'https://w.example.org',
      },
    });
  });

  it("is nobody else's business", () => {
    expect(tellEnd(episode, { now })).toEqual([]);
  });
});
