import { z } from 'zod';
import { failure } from '../../kernel/failure.ts';
import { err } from '../../kernel/result.ts';
import { type ServiceState, serviceNames } from '../../model/service.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { int64Text, objectOrEmpty, parserOf, partitionText, textOrEmpty } from '../reply-schemas.ts';
import { fetchList } from './list.ts';

const everyService = { ServiceDescriptors: serviceNames.map((ServiceName) => ({ ServiceName })) };

const text = textOrEmpty.catch('');
const noEvent = { EventId: '', TimestampNS: '' };

/** Only the identity must be valid: without its event, an instance would seem to be absent. */
const event = parserOf(
  z.object({
    EventMeta: objectOrEmpty({ EventId: text, TimestampNS: int64Text.catch('') }).catch(noEvent),
    ServiceDescriptor: z.object({ ServiceName: z.string().min(1), Partition: partitionText, Replica: partitionText }),
    ServiceStatus: text,
    ProcessState: text,
  }),
);

/**
 * `POST /informant/current-service-status`: one event for each instance of every service; a partition or replica of 0 is omitted.
 * A reply without any event is a failure: the informant that sent it is a service, and has no events yet after it started.
 */
export async function fetchServiceStatus(caller: Caller, signal: AbortSignal): Answer<readonly ServiceState[]> {
  const call = { name: 'serviceStatus', input: { body: everyService }, member: 'ServiceStatusEvents' } as const;
  const states = await fetchList(caller, { ...call, entry: parseServiceState }, signal);
  if (!states.ok || states.value.length > 0) return states;
  return err(caller.withContext('serviceStatus', failure('body', 'the response contains no service')));
}

function parseServiceState(item: unknown): ServiceState | undefined {
  const read = event(item);
  if (read === undefined) return undefined;
  const { EventMeta, ServiceDescriptor, ServiceStatus, ProcessState } = read;
  return {
    service: ServiceDescriptor.ServiceName,
    partition: ServiceDescriptor.Partition,
    replica: ServiceDescriptor.Replica,
    status: ServiceStatus || 'StatusUnchanged',
    process: ProcessState,
    eventId: EventMeta.EventId,
    timestampNs: EventMeta.TimestampNS,
  };
}
