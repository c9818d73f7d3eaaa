import { z } from 'zod';
import { countField, nameField, secondsField, timestampField } from './fields.ts';

/** Guard fields of a query, as members of {@link querySchema}. */
const guardFields = {
  policy: nameField.nullable().describe('Guard policy that matches the query, or that will match it as it ages.'),
  matchesAt: timestampField.nullable().describe('Match time: when the policy matches, or matched, the query.'),
  earliestAbortAt: timestampField
    .nullable()
    .describe('Earliest abort time, in observe mode too; null if the guard does not cover the node.'),
  protected: z
    .boolean()
    .nullable()
    .describe('Whether the query is protected from every policy; null if no policy applies to the cluster.'),
  mode: z.enum(['observe', 'enforce']).nullable().describe('Effective mode of the policy; null without a policy.'),
  held: nameField
    .nullable()
    .describe('Reason that delays the abort, besides the time until `earliestAbortAt`; null without one.'),
  heldUntil: timestampField
    .nullable()
    .describe('When the reason in `held` ends by itself; null if it does not, or if that is unknown.'),
};

/** Query that runs or waits on a node. */
export const querySchema = z
  .object({
    cluster: nameField.describe('Cluster.'),
    node: nameField.describe('Node that listed the query.'),
    state: z.enum(['running', 'delayed']).describe('Whether the query runs or waits in a queue.'),
    id: nameField.min(1).describe('Request ID. The ID of a delayed query is partial: several queries may share it.'),
    graph: nameField.describe('Graph.'),
    query: nameField.describe('Name of the installed query, or the kind of call.'),
    kind: z.enum(['installed', 'interpreted', 'builtin']).describe('Kind of query.'),
    ageSeconds: secondsField.nullable().describe('Running time, or waiting time of a delayed query, at `asOf`.'),
    grantedTimeoutSeconds: secondsField.nullable().describe('Timeout that the server granted to the client.'),
    remainingSeconds: secondsField.nullable().describe('Time until the timeout; negative if it has passed.'),
    overdue: z
      .boolean()
      .describe('Whether the query runs past its timeout, or past `collectors.queries.overdue_after`.'),
    asOf: timestampField.describe('When the list was polled.'),
    ...guardFields,
  })
  .meta({
    id: 'Query',
    description: 'Query in the latest list of a node, without its parameters.',
    examples: [
      {
        cluster: 'prod',
        node: 'm1',
        state: 'running',
        id: '7.RESTPP_1_1.1790000000000.N',
        graph: 'fraud',
        query: 'ring_scan',
        kind: 'installed',
        ageSeconds: 75,
        grantedTimeoutSeconds: 600,
        remainingSeconds: 525,
        overdue: false,
        asOf: '2026-01-31T12:00:00.000Z',
        policy: 'runaway',
        matchesAt: '2026-01-31T12:03:45.000Z',
        earliestAbortAt: '2026-01-31T12:04:15.000Z',
        protected: false,
        mode: 'enforce',
        held: null,
        heldUntil: null,
      },
    ],
  });

/** Query, as the API returns it. */
export type QueryReport = z.infer<typeof querySchema>;

/** Guard fields of a query. */
export type QueryGuardStatus = Pick<QueryReport, keyof typeof guardFields>;

const latencyField = secondsField.nullable();

/** Requests to one endpoint of a node that ended in the last minute. */
export const endpointSchema = z
  .object({
    cluster: nameField.describe('Cluster.'),
    node: nameField.describe('Node.'),
    graph: nameField.describe('Graph; empty if the endpoint belongs to none.'),
    method: nameField.describe('HTTP method.'),
    path: nameField.describe('Path of the endpoint, such as `/query/fraud/ring_scan` for an installed query.'),
    completed: countField.describe('Completed requests.'),
    timeouts: countField.describe('Requests that ran into their timeout.'),
    averageSeconds: latencyField.describe('Average latency; null without a completed request.'),
    p50Seconds: latencyField.describe('Median of the latency, as the upper bound of a bucket; null if it is unknown.'),
    p90Seconds: latencyField.describe(
      'Latency that 90 % of the requests did not exceed, as the upper bound of a bucket; null if it is unknown.',
    ),
    p99Seconds: latencyField.describe(
      'Latency that 99 % of the requests did not exceed, as the upper bound of a bucket; null if it is unknown.',
    ),
    maxSeconds: latencyField.describe('Maximum latency; null without a completed request.'),
    asOf: timestampField.describe('End of the 60 seconds.'),
  })
  .meta({
    id: 'Endpoint',
    description: 'Requests to an endpoint of a node that ended in the last 60 seconds, with their latency.',
    examples: [
      {
        cluster: 'prod',
        node: 'm1',
        graph: 'fraud',
        method: 'GET',
        path: '/query/fraud/ring_scan',
        completed: 41,
        timeouts: 1,
        averageSeconds: 2.1,
        p50Seconds: 1.5,
        p90Seconds: 4,
        p99Seconds: 9,
        maxSeconds: 8.7,
        asOf: '2026-01-31T12:00:00.000Z',
      },
    ],
  });

/** Endpoint, as the API returns it. */
export type EndpointReport = z.infer<typeof endpointSchema>;
