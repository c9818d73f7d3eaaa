import { z } from 'zod';
import { type ServiceState, serviceNames } from '../../model/service.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { digits, entry, inner, ordinal, text } from '../shapes.ts';
import { readList } from './list.ts';

const everyService = { ServiceDescriptors: serviceNames.map((ServiceName) => ({ ServiceName })) };

const event = entry(
  z.object({
    EventMeta: inner({ EventId: text, TimestampNS: digits }),
    ServiceDescriptor: z.object({ ServiceName: z.string().min(1), Partition: ordinal, Replica: ordinal }),
    ServiceStatus: text,
    ProcessState: text,
  }),
);

/** `POST /informant/current-service-status`: one event for each instance of every service, partitions and replicas of 0 left out. */
export function readServiceStatus(caller: Caller, signal: AbortSignal): Answer<readonly ServiceState[]> {
  const input = { body: everyService };
  return readList(caller, { name: 'serviceStatus', input, member: 'ServiceStatusEvents', entry: stateOf }, signal);
}

function stateOf(item: unknown): ServiceState | undefined {
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
