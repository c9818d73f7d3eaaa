import { z } from 'zod';
import type { IncomingRequest, Listen, OutgoingReply } from '../src/kernel/listener.ts';
import { instanceOf, type Reading } from './evidence.ts';

/** What somebody at the door sees of each request: its arrival, and that its answer has left or never will. */
export interface Witness {
  arrived(request: IncomingRequest, port: number): (reply: OutgoingReply, whole: boolean) => void;
}

/** A listener at which somebody looks on. */
export function watched(listen: Listen, witness: Witness): Listen {
  return async (options) => {
    const listening = await listen({
      ...options,
      handler: async (request) => {
        const ended = witness.arrived(request, listening.port);
        const reply = await options.handler(request);
        return {
          ...reply,
          sent: () => {
            reply.sent?.();
            ended(reply, !request.gone.aborted);
          },
        };
      },
    });
    return listening;
  };
}

const answer = z.object({
  ServiceStatusEvents: z.array(
    z.object({
      ServiceDescriptor: z.object({
        ServiceName: z.string(),
        Partition: z.number().optional(),
        Replica: z.number().optional(),
      }),
      ServiceStatus: z.string(),
    }),
  ),
});

/** What an answer of the simulated cluster says of its services; undefined where it is about something else. */
export function statusesIn(request: IncomingRequest, { status, body }: OutgoingReply): Reading['statuses'] | undefined {
  if (!request.path.endsWith('/current-service-status') || status !== 200 || typeof body !== 'string') return undefined;
  const read = answer.safeParse(JSON.parse(body));
  if (!read.success) return undefined;
  return new Map(
    read.data.ServiceStatusEvents.map(({ ServiceDescriptor: { ServiceName, Partition, Replica }, ServiceStatus }) => [
      instanceOf(ServiceName, String(Partition ?? ''), String(Replica ?? '')),
      ServiceStatus,
    ]),
  );
}
