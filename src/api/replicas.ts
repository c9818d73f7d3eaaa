import { z } from 'zod';
import { alertSchema } from './alerts.ts';
import { nameField, pageSchema, type Schema, textField, timestampField } from './fields.ts';
import { decisionSchema } from './guard.ts';
import { transitionSchema } from './services.ts';

/** Replica of graphwarden that shares its database with others. */
export const replicaSchema = z
  .object({
    id: nameField.describe('Id of the replica, which changes with each start.'),
    name: nameField.describe('Name of the host of the replica.'),
    url: textField.describe('URL of the API of the replica.'),
    version: nameField.describe('Version of graphwarden.'),
    startedAt: timestampField.describe('When the replica started, by the clock of the database.'),
    seenAt: timestampField.describe('When the replica last renewed its leases, by the clock of the database.'),
    live: z.boolean().describe('Whether the replica renewed its leases within the length of a lease.'),
    self: z.boolean().describe('Whether this is the replica that responds.'),
    sameClusters: z.boolean().describe('Whether the replica monitors the same clusters as the one that responds.'),
    sameSettings: z
      .boolean()
      .describe(
        'Whether the replica has the same settings of the guard, alerts and collectors as the one that responds.',
      ),
    clusters: z.array(nameField).max(10_000).readonly().describe('Clusters that the replica owns.'),
  })
  .meta({
    id: 'Replica',
    description: 'Replica of graphwarden that shares its database with others, and the clusters that it owns.',
    examples: [
      {
        id: 'b2f0c1d2-5b1c-4d2e-9a57-0c8f1f6f7a10',
        name: 'graphwarden-0',
        url: 'http://graphwarden-0:9916',
        version: '1.0.0',
        startedAt: '2026-01-31T11:00:00.000Z',
        seenAt: '2026-01-31T12:00:00.000Z',
        live: true,
        self: true,
        sameClusters: true,
        sameSettings: true,
        clusters: ['prod'],
      },
    ],
  });

/** Page of the list of replicas, with the state of what they share. */
export const replicaPageSchema = pageSchema(replicaSchema).extend({
  databaseAway: z
    .boolean()
    .describe(
      'Whether the database has not answered the replica for the length of a lease: it aborts and notifies nothing.',
    ),
  databaseAnsweredAt: timestampField
    .nullable()
    .describe('When the database last answered the replica; null if it never did.'),
  withoutOwner: z.array(nameField).max(10_000).readonly().describe('Clusters that no replica owns.'),
});

/** Replicas, and the state of what they share, as the API returns them. */
export type ReplicasReport = z.infer<typeof replicaPageSchema>;

/** Replica of graphwarden that shares its database with others. */
export type ReplicaReport = z.infer<typeof replicaSchema>;

/** Returns the schema of the answer to another replica that requests live items. */
export function replicaAnswerSchema<Item>(item: Schema<Item>) {
  return z.object({
    /** Clusters whose live data the replica has; empty: graphwarden itself. */
    clusters: z.array(nameField).max(10_000).readonly(),
    items: z.array(item).readonly(),
    /** Why it would reject the request of a client: a filter has a value that it does not know. */
    problem: textField.exactOptional(),
  });
}

/** Maximum number of events in one answer to another replica. */
export const maxEventBatch = 1000;

/** Events for another replica. */
export const eventBatchSchema = z.object({
  /** Number of the latest event. */
  last: z.int().min(0),
  events: z
    .array(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('transition'), value: transitionSchema }),
        z.object({ kind: z.literal('decision'), value: decisionSchema }),
        z.object({ kind: z.literal('alert'), value: alertSchema }),
      ]),
    )
    .max(maxEventBatch),
});
