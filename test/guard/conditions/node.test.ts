import { describe, expect, it } from 'vitest';
import { node } from '../../../src/guard/conditions/node.ts';
import { candidate, globs } from '../match-inputs.ts';

const ordinary = { age: 4500, grantedTimeout: 16_000 };

describe('the condition node', () => {
  it('holds for a name that one of the patterns matches', () => {
    const test = node.test?.(globs('other', 'm?'));
    expect(test?.(candidate({ node: 'm1' }))).toBe(true);
    expect(test?.(candidate({ node: 'm10' }))).toBe(false);
  });

  it('lists its patterns in its explanation', () => {
    expect(node.phrases(globs('a*', 'b'))).toEqual(['run on the node a* or b']);
    expect(node.neverMatches).toBeUndefined();
  });

  it('does not exclude an ordinary query', () => {
    expect(node.excludes(globs('m1'), ordinary)).toBe(false);
  });
});
