import type { OutgoingReply } from '../../kernel/listener.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Reply } from '../replies.ts';

/** What a fault works upon: the answer that the server would have given, and the means to spoil it. */
export interface FaultContext {
  /** The healthy answer. */
  readonly reply: Reply;
  /** The requested path. */
  readonly path: string;
  /** The address of another node, for redirects that should not be followed. */
  readonly otherNodeUrl: string;
  readonly clock: Clock;
  /** Aborts when the client goes away: a hanging answer hangs until then. */
  readonly disconnected: AbortSignal;
}

/** One way to spoil an answer. */
export type FaultEffect = (scene: FaultContext) => OutgoingReply | Promise<OutgoingReply>;

/** Resolves when the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
