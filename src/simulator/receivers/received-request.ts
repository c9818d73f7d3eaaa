import type { ReceivedNotification } from '../../model/simulated-receiver.ts';

/** One request as a receiver got it, and its result. */
export interface ReceivedRequest {
  readonly receiver: string;
  /** Kind of the receiver, such as `slack`. */
  readonly kind: string;
  /** When its body was complete, ms since the epoch. */
  readonly at: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What the receiver keeps, or would have kept if it had accepted the request. */
  readonly notifications: readonly ReceivedNotification[];
  /** Whether the receiver keeps it, even if the sender gets no reply or an error. */
  readonly taken: boolean;
  /** Status of the reply, or the status that it would have had. */
  readonly status: number;
  /** `sent`: the reply left as a whole; `lost`: it did not. Both are final. */
  readonly answer: 'pending' | 'sent' | 'lost';
}
