import type { IncomingRequest, OutgoingReply, RequestHandler } from '../../kernel/listener.ts';
import type { Clock } from '../../kernel/time.ts';
import type { HandledRequest, SimulatedReceiverApi, SimulatedReply } from '../../model/simulated-receiver.ts';
import type { BoundedLog } from '../call.ts';
import { untilAborted } from '../faults/fault.ts';
import type { ReceivedRequest } from './received-request.ts';
import type { FixedBehavior, ReceiverBehavior } from './receiver-behavior.ts';
import { parseBehavior } from './receiver-behavior.ts';

/** One receiver and the log of its requests. */
export interface ReceiverContext {
  readonly name: string;
  readonly kind: string;
  readonly api: SimulatedReceiverApi;
  readonly clock: Clock;
  readonly log: BoundedLog<ReceivedRequest>;
  /** Returns how the next request is treated. */
  readonly nextBehavior: () => FixedBehavior;
  /** Changes the behavior from the next request on. */
  readonly setBehavior: (behavior: ReceiverBehavior) => void;
  /** Called for each request when its reply is sent or lost. */
  readonly onRequest: (request: ReceivedRequest) => void;
}

/** Maximum size of a request body in bytes; larger than the limit of every API. */
const maxBody = 16 * 1024 * 1024;

/** Path that changes the behavior of a receiver, such as by `curl -d 503`. */
export const behaviorPath = '/-/behavior';

/** Returns the HTTP handler of a receiver. */
export function receiverHandler(context: ReceiverContext): RequestHandler {
  return async (request) => {
    const { requestPath, otherPaths = [] } = context.api;
    const isNotification = [requestPath, ...otherPaths].includes(request.path);
    if (!isNotification && request.path !== behaviorPath) return { status: 404, body: 'no_service' };
    if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
    const body = await request.text(maxBody);
    return isNotification ? receive(context, request, body) : changeBehavior(context, body);
  };
}

function changeBehavior({ name, setBehavior }: ReceiverContext, text: string): OutgoingReply {
  const behavior = parseBehavior(text);
  if (!behavior.ok) return { status: 400, body: `${behavior.error}\n` };
  setBehavior(behavior.value);
  return { status: 200, body: `${name}: ${text.trim()}\n` };
}

/** Logs the request before it replies, so that the log is complete if the sender dies. */
async function receive(
  { name, kind, api, clock, log, nextBehavior, onRequest }: ReceiverContext,
  { headers, disconnected }: IncomingRequest,
  body: string,
): Promise<OutgoingReply> {
  const at = clock.now().wall;
  const behavior = nextBehavior();
  const handled = api.handle(body, at);
  const reply = replyOf(behavior, handled);
  const request: ReceivedRequest = {
    receiver: name,
    kind,
    at,
    headers,
    body,
    notifications: handled.kept,
    isAccepted: acceptsRequest(behavior) && (handled.reply.status < 300 || handled.kept.length > 0),
    status: reply.status,
    answer: 'pending',
  };
  const replace = log.add(request);
  const onSent = (): void => {
    const isLost = disconnected.aborted || behavior.kind === 'drop';
    const ended = { ...request, answer: isLost ? ('lost' as const) : ('sent' as const) };
    replace(ended);
    onRequest(ended);
  };
  if (behavior.kind === 'hang') await untilAborted(disconnected);
  if (behavior.kind === 'slow') await clock.sleep(behavior.by, disconnected);
  return { ...reply, onSent, ...(behavior.kind === 'drop' ? { body: brokenBody() } : {}) };
}

function replyOf(behavior: FixedBehavior, { reply }: HandledRequest): SimulatedReply {
  if (behavior.kind !== 'refuse') return reply;
  const { status, retryAfter, body = '' } = behavior;
  return { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter }, body };
}

function acceptsRequest(behavior: FixedBehavior): boolean {
  return behavior.kind === 'hang' || behavior.kind === 'drop' ? behavior.isAccepted : behavior.kind !== 'refuse';
}

/** Body that throws immediately, so that the listener resets the connection. */
async function* brokenBody(): AsyncGenerator<Uint8Array> {
  yield* [];
  throw new Error('the simulated receiver breaks the connection');
}
