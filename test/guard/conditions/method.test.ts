import { describe, expect, it } from 'vitest';
import { method } from '../../../src/guard/conditions/method.ts';
import { candidate, globs } from '../match-inputs.ts';

const ordinary = { age: 4500, grantedTimeout: 16_000 };

describe('the condition method', () => {
  it('holds for a name that one of the patterns matches', () => {
    const test = method.test?.(globs('other', 'GET'));
    expect(test?.(candidate({ method: 'GET' }))).toBe(true);
    expect(test?.(candidate({}))).toBeUndefined();
  });

  it('lists its patterns in its explanation', () => {
    expect(method.phrases(globs('a*', 'b'))).toEqual(['use the HTTP method a* or b']);
    expect(method.neverMatches).toContain('whose method');
  });

  it('does not exclude an ordinary query', () => {
    expect(method.excludes(globs('m1'), ordinary)).toBe(false);
  });
});
