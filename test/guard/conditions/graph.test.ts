import { describe, expect, it } from 'vitest';
import { graph } from '../../../src/guard/conditions/graph.ts';
import { candidate, globs } from '../match-inputs.ts';

const ordinary = { age: 4500, grantedTimeout: 16_000 };

describe('the condition graph', () => {
  it('holds for a name that one of the patterns matches', () => {
    const test = graph.test?.(globs('other', 'fraud'));
    expect(test?.(candidate({ url: '/query/fraud/scan' }))).toBe(true);
    expect(test?.(candidate({ url: '/query/social/scan' }))).toBe(false);
  });

  it('lists its patterns in its explanation', () => {
    expect(graph.phrases(globs('a*', 'b'))).toEqual(['run in the graph a* or b']);
    expect(graph.neverMatches).toBeUndefined();
  });

  it('excludes an ordinary query unless it matches every name', () => {
    expect(graph.excludes(globs('a*'), ordinary)).toBe(true);
    expect(graph.excludes(globs('*'), ordinary)).toBe(false);
  });
});
