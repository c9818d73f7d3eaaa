import { describe, expect, it } from 'vitest';
import { behaviorSyntax, parseBehavior } from '../../../src/simulator/receivers/receiver-behavior.ts';

describe('parseBehavior', () => {
  it.each([
    ['healthy', { kind: 'healthy' }],
    [' 503\n', { kind: 'refuse', status: 503 }],
    ['429:30', { kind: 'refuse', status: 429, retryAfter: '30' }],
    ['hang', { kind: 'hang', isAccepted: true }],
    ['drop', { kind: 'drop', isAccepted: true }],
    ['slow:5s', { kind: 'slow', by: 5_000 }],
  ])('%j', (text, manner) => {
    expect(parseBehavior(text)).toEqual({ ok: true, value: manner });
  });

  it('parses every listed behavior', () => {
    for (const [word] of behaviorSyntax) expect(parseBehavior(word).ok).toBe(true);
  });

  it('parses flaky as a behavior with a probability', () => {
    expect(parseBehavior('flaky:0.3')).toMatchObject({ ok: true, value: { kind: 'random', chance: 0.3 } });
  });

  it.each([
    ['', "'' is not one of healthy, 503"],
    ['99', "'99' is not one of"],
    ['hang:1', "'hang:1' is not one of"],
    ['slow', "'' is not a duration"],
    ['slow:soon', "'soon' is not a duration"],
    ['flaky:', "'' is not a probability"],
    ['flaky:2', "'2' is not a probability"],
    ['429:later', "'later' is not a number of seconds"],
  ])('refuses %j', (text, sentence) => {
    expect(parseBehavior(text)).toEqual({ ok: false, error: expect.stringContaining(sentence) });
  });
});
