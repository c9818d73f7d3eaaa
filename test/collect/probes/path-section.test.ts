import { expect, it } from 'vitest';
import { z } from 'zod';
import { pathFields, pathLength, searchOf } from '../../../src/collect/probes/path-section.ts';

const ends = { sources: [{ type: 'A', id: 1 }], targets: [{ type: 'B', id: 'b' }] };

it('a path search has its ends and filters', () => {
  const given = z.strictObject(pathFields).parse({ ...ends, vertex_filters: [{ type: 'A' }] });
  expect(searchOf(given)).toEqual({
    sources: [{ type: 'A', id: '1' }],
    targets: [{ type: 'B', id: 'b' }],
    vertexFilters: [{ type: 'A' }],
    edgeFilters: [],
  });
});

it.each([0, 11, 1.5])('a path search rejects the length %d', (length) => {
  expect(pathLength.safeParse(length).success).toBe(false);
});
