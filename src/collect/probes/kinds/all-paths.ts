import { z } from 'zod';
import type { ProbeTask } from '../../../model/probe.ts';
import type { ProbeKind } from '../kind.ts';
import { pathFields, pathLength, searchOf } from '../path-section.ts';

/** All paths between vertices. */
export const allPaths: ProbeKind = {
  name: 'all_paths',
  about: 'Searches for all paths between vertices, including those with loops.',
  privilege: 'READ_DATA',
  cost: 'one search, which grows fast with `max_length`: use the smallest value that finds the paths',
  calls: ['allPaths'],
  section: z
    .strictObject({
      ...pathFields,
      max_length: pathLength.describe('Maximum number of edges of a path, at most 10.').meta({ examples: [3] }),
    })
    .transform(
      ({ max_length: maxLength, ...given }): ProbeTask => ({
        kind: 'all_paths',
        search: { ...searchOf(given), maxLength },
      }),
    ),
};
