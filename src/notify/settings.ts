import type { SecretSource } from '../kernel/secret.ts';
import type { HttpConfig } from './http-config.ts';

/** Where a receiver is and how to authenticate to it. */
export interface ReceiverEndpoint {
  /** Kind of the receiver, which `receivers/all.ts` lists. */
  readonly kind: string;
  /** Values of the kind's fields, by key; addresses have no slash at their end. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Sources of the kind's secrets, by key; an optional secret that is not configured is absent. */
  readonly secrets: Readonly<Record<string, SecretSource>>;
  /** TLS, proxy and headers; absent if nothing is configured. */
  readonly http?: HttpConfig;
}

/** One configured receiver. */
export interface ReceiverSettings extends ReceiverEndpoint {
  readonly name: string;
  /** Gets the watchdog's heartbeat. */
  readonly heartbeat: boolean;
  /** Each trigger wakes a person: informational alerts (`info`) are not sent. */
  readonly isPager?: true;
}

/** Settings of delivery. */
export interface DeliverySettings {
  readonly receivers: readonly ReceiverSettings[];
  /** Address of graphwarden for links; undefined if none is configured. */
  readonly externalUrl?: string;
}
