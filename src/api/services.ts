import { z } from 'zod';
import { countField, nameField, secondsField, timestampField } from './fields.ts';

const replicaFields = {
  cluster: nameField.describe('Cluster.'),
  service: nameField.min(1).describe('Service, such as `GPE`.'),
  partition: nameField.describe('Partition; empty if the service has none.'),
  replica: nameField.describe('Replica; empty if the service has none.'),
};

const replicaExample = { cluster: 'prod', service: 'GPE', partition: '1', replica: '2' };

/** Service instance and its status. */
export const serviceSchema = z
  .object({
    ...replicaFields,
    status: nameField.describe('Observed status: a status of the server, `unobserved` or `absent`.'),
    since: timestampField.describe('When the observed status began.'),
    confirmed: nameField.describe('Confirmed status, on which alerts are evaluated.'),
    confirmedSince: timestampField.describe('When the confirmed status was first observed.'),
    process: nameField.describe('State of the process; empty if the server sends none.'),
    flapping: z.boolean().describe('Whether the status is flapping.'),
    disputed: z.boolean().describe('Whether the two sources of the status disagree.'),
  })
  .meta({
    id: 'Service',
    description: 'Service instance (replica) and its status.',
    examples: [
      {
        ...replicaExample,
        status: 'Down',
        since: '2026-01-31T12:00:05.000Z',
        confirmed: 'Online',
        confirmedSince: '2026-01-30T09:00:00.000Z',
        process: 'Stopped',
        flapping: false,
        disputed: false,
      },
    ],
  });

/** Service instance, as the API returns it. */
export type ServiceReport = z.infer<typeof serviceSchema>;

/** Change of an observed status. */
export const transitionSchema = z
  .object({
    at: timestampField.describe('When the change was observed.'),
    ...replicaFields,
    from: nameField.describe('Previous status; empty if the replica was new.'),
    to: nameField.describe('New status; empty if the replica was forgotten.'),
    lastedSeconds: secondsField.nullable().describe('How long the previous status lasted; null if that is unknown.'),
    process: nameField.describe('State of the process; empty if the server sends none.'),
    source: nameField.describe('Node that reported the change.'),
    eventId: nameField.describe('ID of the event on the server; empty if the server sends none.'),
    eventNs: nameField.describe('Time of the event on the server, nanoseconds since the epoch.'),
  })
  .meta({
    id: 'Transition',
    description: 'Observed change of the status of a service instance.',
    examples: [
      {
        at: '2026-01-31T12:00:05.000Z',
        ...replicaExample,
        from: 'Online',
        to: 'Down',
        lastedSeconds: 97_205.4,
        process: 'Stopped',
        source: 'm1',
        eventId: 'e81',
        eventNs: '1769860804912000000',
      },
    ],
  });

/** Transition, as the API returns it. */
export type TransitionReport = z.infer<typeof transitionSchema>;

/** Availability of a replica or a partition over a time range. */
export const availabilitySchema = z
  .object({
    kind: z.enum(['replica', 'partition']).describe('Whether the item is about one replica or a whole partition.'),
    ...replicaFields,
    replica: nameField.nullable().describe('Replica; null for a partition.'),
    observedSeconds: secondsField.describe('Time during which the status was observed.'),
    onlineSeconds: secondsField.describe('Time during which the status was `Online`.'),
    availability: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('Online time divided by observed time; null if nothing was observed.'),
    outages: countField.describe('Number of outages.'),
    meanTimeToRecoverSeconds: secondsField
      .nullable()
      .describe('Mean duration of the outages that began and ended in the time range; null without one.'),
  })
  .meta({
    id: 'Availability',
    description: 'Availability of a replica or a partition. A partition is online while one of its replicas is.',
    examples: [
      {
        kind: 'replica',
        ...replicaExample,
        observedSeconds: 2_592_000,
        onlineSeconds: 2_591_700,
        availability: 0.99988,
        outages: 1,
        meanTimeToRecoverSeconds: 300,
      },
    ],
  });

/** Availability, as the API returns it. */
export type AvailabilityReport = z.infer<typeof availabilitySchema>;

/** Request to forget a service instance. */
export const forgetRequestSchema = z
  .object({
    ...replicaFields,
    cluster: nameField.min(1).describe('Cluster.'),
    partition: nameField.default('').describe('Partition; empty if the service has none.'),
    replica: nameField.default('').describe('Replica; empty if the service has none.'),
  })
  .meta({ id: 'ForgetRequest', description: 'Service instance to forget.', examples: [replicaExample] });
