import { z } from 'zod';
import type { IncomingRequest, Listen, OutgoingReply } from '../../src/kernel/listener.ts';
import { instanceOf, type StatusReply } from './evidence.ts';

/**
 * Observer of each request: of its arrival, and of the moment when its response was sent or its connection was lost.
 */
export interface RequestObserver {
  onRequest(request: IncomingRequest, port: number): (reply: OutgoingReply, isComplete: boolean) => void;
}

/** Wraps a listener so that an observer sees each request. */
export function observeListener(listen: Listen, observer: RequestObserver): Listen {
  return async (options) => {
    const listening = await listen({
      ...options,
      handler: async (request) => {
        const onEnd = observer.onRequest(request, listening.port);
        const reply = await options.handler(request);
        return {
          ...reply,
          onSent: () => {
            reply.onSent?.();
            onEnd(reply, !request.disconnected.aborted);
          },
        };
      },
    });
    return listening;
  };
}

const serviceStatusResponse = z.object({
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

/** Returns the service statuses in a response of the simulated cluster; undefined for other responses. */
export function statusesIn(
  request: IncomingRequest,
  { status, body }: OutgoingReply,
): StatusReply['statuses'] | undefined {
  if (!request.path.endsWith('/current-service-status') || status !== 200 || typeof body !== 'string') return undefined;
  const parsed = serviceStatusResponse.safeParse(JSON.parse(body));
  if (!parsed.success) return undefined;
  return new Map(
    parsed.data.ServiceStatusEvents.map(({ ServiceDescriptor: { ServiceName, Partition, Replica }, ServiceStatus }) => [
      instanceOf(ServiceName, String(Partition ?? ''), String(Replica ?? '')),
      ServiceStatus,
    ]),
  );
}
