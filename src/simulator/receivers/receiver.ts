import type { IncomingRequest, OutgoingReply, RequestHandler } from '../../kernel/listener.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Log } from '../call-log.ts';
import { until } from '../faults/fault.ts';
import type { Reply } from '../replies.ts';
import type { Kind, Taking } from './kind.ts';
import type { ReceivedLetter } from './letter.ts';
import type { Manner, SimpleManner } from './manner.ts';
import { parseManner } from './manner-words.ts';

/** One receiver, and where it writes down what it gets. */
export interface Desk {
  readonly name: string;
  readonly kindName: ReceivedLetter['kind'];
  readonly kind: Kind;
  readonly clock: Clock;
  readonly log: Log<ReceivedLetter>;
  /** The manner in which the next letter is treated. */
  readonly turn: () => SimpleManner;
  /** Changes it from the next letter on. */
  readonly behave: (manner: Manner) => void;
  /** Hears of each letter once its answer is sent or lost. */
  readonly done: (letter: ReceivedLetter) => void;
}

/** More than any receiver takes: the limits are those of the kinds. */
const maxBody = 16 * 1024 * 1024;

/** The HTTP side of a receiver. */
export function receiverHandler(desk: Desk): RequestHandler {
  return async (request) => {
    const isLetter = request.path === desk.kind.path;
    if (!isLetter && request.path !== mannerPath) return { status: 404, body: 'no_service' };
    if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
    const body = await request.text(maxBody);
    return isLetter ? receive(desk, request, body) : behave(desk, body);
  };
}

/** Where a person changes how a receiver behaves, such as by `curl -d 503`. */
export const mannerPath = '/-/manner';

function behave(desk: Desk, words: string): OutgoingReply {
  const manner = parseManner(words);
  if (!manner.ok) return { status: 400, body: `${manner.error}\n` };
  desk.behave(manner.value);
  return { status: 200, body: `${desk.name}: ${words.trim()}\n` };
}

/** The letter is in the log before anything is answered: who dies meanwhile finds it there. */
async function receive(desk: Desk, { headers, gone }: IncomingRequest, body: string): Promise<OutgoingReply> {
  const at = desk.clock.now().wall;
  const manner = desk.turn();
  const taking = desk.kind.take(body, at);
  const reply = replyOf(manner, taking);
  const letter: ReceivedLetter = {
    receiver: desk.name,
    kind: desk.kindName,
    at,
    headers,
    body,
    told: taking.kept,
    taken: isTaken(manner) && (taking.reply.status < 300 || taking.kept.length > 0),
    status: reply.status,
    answer: 'pending',
  };
  const replace = desk.log.add(letter);
  const sent = (): void => {
    const ended = { ...letter, answer: gone.aborted || manner.kind === 'drop' ? ('lost' as const) : ('sent' as const) };
    replace(ended);
    desk.done(ended);
  };
  if (manner.kind === 'hang') await until(gone);
  if (manner.kind === 'slow') await desk.clock.sleep(manner.by, gone);
  return { ...reply, sent, ...(manner.kind === 'drop' ? { body: brokenOff() } : {}) };
}

function replyOf(manner: SimpleManner, { reply }: Taking): Reply {
  if (manner.kind !== 'refuse') return reply;
  const { status, retryAfter, body = '' } = manner;
  return { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter }, body };
}

function isTaken(manner: SimpleManner): boolean {
  return manner.kind === 'hang' || manner.kind === 'drop' ? manner.taken : manner.kind !== 'refuse';
}

/** A body that throws at once: the listener resets the connection. */
async function* brokenOff(): AsyncGenerator<Uint8Array> {
  yield* [];
  throw new Error('the simulated receiver breaks off');
}
