import { describe, expect, it } from 'vitest';
import { parametersField, parametersProblem, typeName, vertexId } from '../../../src/collect/probes/kind.ts';

describe('parametersProblem', () => {
  it.each([
    [{ n: 1, v: { id: 'a' }, s: [1, 'b', true], l: [{ id: 'a', type: 'A' }] }, 'query string', undefined],
    [{ m: { map: { a: 1 } } }, 'body', undefined],
    [{ m: { map: { a: 1 } } }, 'query string', /has the map m/],
    [{ l: [1, { id: 'a' }] }, 'body', /has the list l of different kinds/],
    [{ l: [{ id: 'a' }, { id: 'a', type: 'A' }] }, 'query string', /has the list l of different kinds/],
    [{ t: 'x'.repeat(6001) }, 'query string', /more than 6000 characters; set method: post/],
    [{ t: 'x'.repeat(6001) }, 'body', undefined],
    [{ t: 'x'.repeat(65_537) }, 'body', /pass fewer values/],
  ] as const)('of $0 in the $1 (case %$)', (given, location, expected) => {
    const problem = parametersProblem(parametersField.parse(given), location);
    if (expected === undefined) expect(problem).toBeUndefined();
    else expect(problem).toMatch(expected);
  });
});

it('ids may be numbers, and names of types may not', () => {
  expect(vertexId.parse(7)).toBe('7');
  expect(vertexId.safeParse('a/b').success).toBe(false);
  expect(typeName.safeParse('7').success).toBe(false);
});
