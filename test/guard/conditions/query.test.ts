import { describe, expect, it } from 'vitest';
import { query } from '../../../src/guard/conditions/query.ts';
import { candidate, globs } from '../match-inputs.ts';

const ordinary = { age: 4500, grantedTimeout: 16_000 };

describe('the condition query', () => {
  it('holds for a name that one of the patterns matches', () => {
    const test = query.test?.(globs('other', 'adhoc_*'));
    expect(test?.(candidate({ url: '/query/fraud/adhoc_1' }))).toBe(true);
    expect(test?.(candidate({ url: '/query/fraud/scan' }))).toBe(false);
  });

  it('lists its patterns in its explanation', () => {
    expect(query.phrases(globs('a*', 'b'))).toEqual(['are called a* or b']);
    expect(query.neverMatches).toBeUndefined();
  });

  it('excludes an ordinary query unless it matches every name', () => {
    expect(query.excludes(globs('a*'), ordinary)).toBe(true);
    expect(query.excludes(globs('*'), ordinary)).toBe(false);
  });
});
