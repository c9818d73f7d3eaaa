import type { SecretSource } from '../kernel/secret.ts';

/** Where a receiver is and how it is spoken to. Addresses have no slash at their end. */
export type ReceiverWay =
  /** All of them get everything, one success is enough; a path is a prefix. */
  | { readonly kind: 'alertmanager'; readonly urls: readonly string[] }
  | { readonly kind: 'pagerduty'; readonly url: string; readonly routingKey: SecretSource }
  /** The whole address is the secret. */
  | { readonly kind: 'slack'; readonly webhookUrl: SecretSource }
  /** Of the address, too, all may be a secret. */
  | { readonly kind: 'webhook'; readonly url: SecretSource; readonly hmacKey?: SecretSource }
  | {
      readonly kind: 'email';
      readonly host: string;
      readonly port: number;
      /** TLS from the first byte (`smtps`); else STARTTLS where it is offered. */
      readonly secure: boolean;
      readonly username?: string;
      readonly password?: SecretSource;
      readonly from: string;
      readonly to: readonly string[];
    };

/** One configured receiver. */
export interface ReceiverSettings {
  readonly name: string;
  /** Gets the dead-man's heartbeat. */
  readonly heartbeat: boolean;
  readonly way: ReceiverWay;
}

/** What delivery goes by. */
export interface DeliverySettings {
  readonly receivers: readonly ReceiverSettings[];
  /** Our own address, for links; undefined where none is configured. */
  readonly externalUrl?: string;
}
