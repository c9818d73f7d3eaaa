import { describe, expect, it } from 'vitest';
import { mannerWords, parseManner } from '../../../src/simulator/receivers/manner-words.ts';

describe('parseManner', () => {
  it.each([
    ['healthy', { kind: 'healthy' }],
    [' 503\n', { kind: 'refuse', status: 503 }],
    ['429:30', { kind: 'refuse', status: 429, retryAfter: '30' }],
    ['hang', { kind: 'hang', taken: true }],
    ['drop', { kind: 'drop', taken: true }],
    ['slow:5s', { kind: 'slow', by: 5_000 }],
  ])('%j', (text, manner) => {
    expect(parseManner(text)).toEqual({ ok: true, value: manner });
  });

  it('reads every word that it offers', () => {
    for (const [word] of mannerWords) expect(parseManner(word).ok).toBe(true);
  });

  it('makes chance of flaky', () => {
    expect(parseManner('flaky:0.3')).toMatchObject({ ok: true, value: { kind: 'random', chance: 0.3 } });
  });

  it.each([
    ['', "'' is none of healthy, 503"],
    ['99', "'99' is none of"],
    ['hang:1', "'hang:1' is none of"],
    ['slow', "'' is not a duration"],
    ['slow:soon', "'soon' is not a duration"],
    ['flaky:', "'' is no chance"],
    ['flaky:2', "'2' is no chance"],
    ['429:later', "'later' is no number of seconds"],
  ])('refuses %j', (text, sentence) => {
    expect(parseManner(text)).toEqual({ ok: false, error: expect.stringContaining(sentence) });
  });
});
