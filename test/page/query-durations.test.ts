import { expect, it } from 'vitest';
import { queryDurations } from '../../page/src/query-durations.ts';
import { type EndpointReport, endpointSchema } from '../../src/api/queries.ts';
import { exampleOf } from '../api/object-cases.ts';

function endpoint(more: Partial<EndpointReport>): EndpointReport {
  return endpointSchema.parse({ ...exampleOf(endpointSchema), ...more });
}

it('query durations › joins the nodes of a cluster, with the longest first', () => {
  const unknown = { averageSeconds: null, p50Seconds: null, p90Seconds: null, p99Seconds: null, maxSeconds: null };
  const endpoints = [
    endpoint({ completed: 2, timeouts: 1 }),
    endpoint({ node: 'm2', completed: 3, timeouts: 0, p50Seconds: 3, maxSeconds: 5 }),
    endpoint({ node: 'm3', completed: 0, timeouts: 4, ...unknown }),
    endpoint({ path: '/query/fraud/slow', maxSeconds: 60 }),
    endpoint({ path: '/query/fraud/none', completed: 0, timeouts: 0 }),
    endpoint({ path: '/graph/fraud/vertices' }),
    endpoint({ path: '/query/fraud/stuck', completed: 0, timeouts: 1, ...unknown }),
  ];
  expect(queryDurations(endpoints)).toMatchObject([
    { query: 'slow', max: 60 },
    {
      cluster: 'prod',
      graph: 'fraud',
      query: 'ring_scan',
      completed: 5,
      timeouts: 5,
      p50: 3,
      p90: 4,
      p99: 8.7,
      max: 8.7,
    },
    { query: 'stuck', completed: 0, timeouts: 1, p50: null, max: null },
  ]);
});
