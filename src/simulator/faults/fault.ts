import type { OutgoingReply } from '../../kernel/listener.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Reply } from '../replies.ts';

/** What a fault works upon: the answer that the server would have given, and the means to spoil it. */
export interface Scene {
  /** The healthy answer. */
  readonly reply: Reply;
  /** The requested path. */
  readonly path: string;
  /** The address of another node, for redirects that should not be followed. */
  readonly elsewhere: string;
  readonly clock: Clock;
  /** Aborts when the client goes away: a hanging answer hangs until then. */
  readonly gone: AbortSignal;
}

/** One way to spoil an answer. */
export type Spoil = (scene: Scene) => OutgoingReply | Promise<OutgoingReply>;

/** Resolves when the signal aborts. */
export function until(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
