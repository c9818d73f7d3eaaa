import { z } from 'zod';
import type { ProbeTask } from '../../../model/probe.ts';
import type { ProbeKind } from '../kind.ts';

/** A row that is written, read on each node and deleted: the only kind that changes data. */
export const writeHeartbeat: ProbeKind = {
  name: 'write_heartbeat',
  about:
    'Loads one row of the vertex type `graphwarden_heartbeat` with the loading job of the same name and `ack=all`, reads it on each node until all return it, and deletes it.',
  privilege:
    'EXECUTE_LOADINGJOB on the graph; READ_DATA, CREATE_DATA and DELETE_DATA on the vertex type graphwarden_heartbeat',
  cost: 'one write, one deletion, and reads of one vertex on each node until it is visible',
  calls: ['loadHeartbeat', 'readHeartbeat', 'deleteHeartbeat'],
  section: z.strictObject({}).transform((): ProbeTask => ({ kind: 'write_heartbeat' })),
};
