import { z } from 'zod';
import type { Millis } from '../../kernel/time.ts';
import type { Endpoint } from '../call.ts';
import { json } from '../replies.ts';
import { type InstanceStatus, isRunning } from '../world/service-statuses.ts';
import type { World } from '../world/world.ts';
import { informantError } from './informant-categories.ts';
import { descriptor, eventMeta } from './informant-format.ts';

const bodySchema = z.object({
  ServiceDescriptors: z.array(
    z.object({
      ServiceName: z.string(),
      Partition: z.coerce.number().optional(),
      Replica: z.coerce.number().optional(),
    }),
  ),
});

type RequestedDescriptor = z.infer<typeof bodySchema>['ServiceDescriptors'][number];

/** Interval at which services report their status even if it does not change. */
const reportInterval: Millis = 30_000;

/** `POST /informant/current-service-status`: live, unlike the page; names may be in lower case. */
export const serviceStatus: Endpoint = ({ world, body }) => {
  const wanted = readBody(body);
  if (wanted === undefined) return informantError(400, 'ServiceDescriptors with ServiceName are required');
  const events = world.serviceStatuses.entries
    .filter(({ instance }) => wanted.some((one) => matchesDescriptor(one, instance)))
    .map((entry) => statusEvent(entry, world));
  return json(events.length === 0 ? {} : { ServiceStatusEvents: events });
};

function readBody(body: string): readonly RequestedDescriptor[] | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return bodySchema.safeParse(value).data?.ServiceDescriptors;
  } catch {
    return undefined;
  }
}

function matchesDescriptor(wanted: RequestedDescriptor, instance: InstanceStatus['instance']): boolean {
  return (
    wanted.ServiceName.toUpperCase() === instance.service &&
    (wanted.Partition === undefined || String(wanted.Partition) === instance.partition) &&
    (wanted.Replica === undefined || String(wanted.Replica) === instance.replica)
  );
}

function statusEvent({ instance, status, since }: InstanceStatus, world: World): unknown {
  const own = descriptor(instance.service, instance.partition, instance.replica);
  const reported = since + Math.floor((world.now - since) / reportInterval) * reportInterval;
  const at = reported + world.clockOffset(instance.host);
  return {
    EventMeta: eventMeta({ source: own, key: JSON.stringify(own), at, span: 'ServiceStatusSelfReport' }),
    ServiceDescriptor: own,
    ServiceStatus: status,
    ProcessState: isRunning(status) ? 'Running' : 'Stopped',
  };
}
