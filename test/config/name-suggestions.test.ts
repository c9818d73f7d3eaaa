import { describe, expect, it } from 'vitest';
import { closestMatch } from '../../src/config/name-suggestions.ts';

const keys = ['every', 'timeout', 'enabled', 'stale_after', 'cron', 'passthrough'];

describe('nearest', () => {
  it.each([
    ['timeout', 'timeout'],
    ['tmeout', 'timeout'],
    ['timeuot', 'timeout'],
    ['time_out', 'timeout'],
    ['Timeout', 'timeout'],
    ['evry', 'every'],
    ['eveyr', 'every'],
    ['staleafter', 'stale_after'],
    ['corn', 'cron'],
    ['enable', 'enabled'],
  ])('suggests for %s: %s', (word, meant) => {
    expect(closestMatch(word, keys)).toBe(meant);
  });

  it.each(['frobnicate', 'x', '', 'interval', 't'.repeat(10_000)])('returns no suggestion for «$0»', (word) => {
    expect(closestMatch(word, keys)).toBeUndefined();
  });

  it('returns the nearer of two candidates', () => {
    expect(closestMatch('nodes', ['mode', 'node'])).toBe('node');
  });

  it('compares a word with the first 200 candidates only', () => {
    const others = Array.from({ length: 199 }, (_, n) => `unlike${n}`);
    expect(closestMatch('evry', [...others, 'every'])).toBe('every');
    expect(closestMatch('evry', [...others, 'other', 'every'])).toBeUndefined();
  });

  it('returns no suggestion without candidates', () => {
    expect(closestMatch('every', [])).toBeUndefined();
  });
});
