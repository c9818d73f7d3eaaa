import { z } from 'zod';
import type { ProbeTask } from '../../../model/probe.ts';
import type { ProbeKind } from '../kind.ts';
import { pathFields, pathLength, searchOf } from '../path-section.ts';

/** The shortest path between vertices. */
export const shortestPath: ProbeKind = {
  name: 'shortest_path',
  about: 'Searches for the shortest path, or all shortest paths, between vertices.',
  privilege: 'READ_DATA',
  cost: 'one search, which grows with `max_length` and the degree of the vertices',
  calls: ['shortestPath'],
  section: z
    .strictObject({
      ...pathFields,
      max_length: pathLength
        .optional()
        .describe('Maximum number of edges of a path, at most 10. If omitted, the server uses 6.'),
      all_shortest: z.boolean().prefault(false).describe('Returns all shortest paths instead of one.'),
    })
    .transform(
      ({ max_length: maxLength, all_shortest: allShortest, ...given }): ProbeTask => ({
        kind: 'shortest_path',
        search: { ...searchOf(given), allShortest, ...(maxLength === undefined ? {} : { maxLength }) },
      }),
    ),
};
