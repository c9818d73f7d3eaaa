import { z } from 'zod';
import { nameField, secondsField, timestampField } from './fields.ts';

/** What the guard knows of a query, as members of {@link querySchema}. */
const guardFields = {
  policy: nameField.nullable().describe('Guard policy that matches the query, or that will match it as it ages.'),
  matchesAt: timestampField.nullable().describe('Match time: when the policy matches the query, or did.'),
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
    .describe('Why the policy does not abort the query, apart from the time until `earliestAbortAt`; null: nothing.'),
  heldUntil: timestampField.nullable().describe('When that reason ends by itself; null if it does not, or is unknown.'),
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
    overdue: z.boolean().describe('Whether the query runs past its timeout.'),
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

/** What the guard knows of a query. */
export type QueryGuardStatus = Pick<QueryReport, keyof typeof guardFields>;
