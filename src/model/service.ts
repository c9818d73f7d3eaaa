import type { ParsedFamily } from './exposition.ts';

/** The ten statuses of the server, with the code that its metrics show. */
export const serviceStatusCodes = {
  StatusUnchanged: 0,
  StatusUnknown: 3,
  Online: 6,
  Warmup: 9,
  Readonly: 12,
  Starting: 15,
  Paused: 18,
  Stopping: 21,
  Offline: 24,
  Down: 27,
} as const;

/** A status that the documents name. */
export type ServiceStatus = keyof typeof serviceStatusCodes;

/** The services that a status request names; the server answers with every instance it has of each. */
export const serviceNames = [
  'ADMIN',
  'CTRL',
  'DICT',
  'ETCD',
  'EXE',
  'GPE',
  'GSE',
  'GSQL',
  'GUI',
  'IFM',
  'KAFKA',
  'KAFKACONN',
  'KAFKASTRM-LL',
  'NGINX',
  'RESTPP',
  'TS3',
  'TS3SERV',
  'ZK',
] as const;

/** One service instance as `current-service-status` reports it. */
export interface ServiceState {
  readonly service: string;
  /** `''` where the service has none. */
  readonly partition: string;
  readonly replica: string;
  /** The server's word, verbatim; `StatusUnchanged` where it sent none. */
  readonly status: string;
  /** `Running`, `Stopped` or another word of the server; `''` where it sent none. */
  readonly process: string;
  readonly eventId: string;
  /** Nanoseconds since the epoch as decimal text: more digits than a double holds. */
  readonly timestampNs: string;
}

/** What a reading says of the status of services, in one of the two ways that the server has. */
export type StatusReport =
  | { readonly kind: 'states'; readonly states: readonly ServiceState[] }
  /** The informant's page: the family `<prefix>service_status` holds the codes. */
  | { readonly kind: 'page'; readonly families: readonly ParsedFamily[]; readonly prefix: string };
