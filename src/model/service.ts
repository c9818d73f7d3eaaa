import type { ParsedFamily } from './exposition.ts';

/** The ten statuses of the server, with their codes in its metrics. */
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

/** A documented status. */
export type ServiceStatus = keyof typeof serviceStatusCodes;

/** Colors of states. Each means the same on every dashboard and on the status page. */
export type StateColor = 'green' | 'yellow' | 'blue' | 'orange' | 'red' | 'grey';

/** Color of each status: green only if it is known to serve, grey if nothing is known. */
const serviceStatusColors: Readonly<Record<ServiceStatus, StateColor>> = {
  StatusUnchanged: 'grey',
  StatusUnknown: 'grey',
  Online: 'green',
  Warmup: 'yellow',
  Readonly: 'orange',
  Starting: 'blue',
  Paused: 'orange',
  Stopping: 'orange',
  Offline: 'red',
  Down: 'red',
};

/** Returns the color of a status word of the server; grey if the word is not documented. */
export function colorOfStatus(status: string): StateColor {
  return new Map<string, StateColor>(Object.entries(serviceStatusColors)).get(status) ?? 'grey';
}

/** Services in a status request; the server returns every instance of each. */
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
  /** `''` if the service has none. */
  readonly partition: string;
  readonly replica: string;
  /** The server's word, verbatim; `StatusUnchanged` if it sent none. */
  readonly status: string;
  /** `Running`, `Stopped` or another word of the server; `''` if it sent none. */
  readonly process: string;
  readonly eventId: string;
  /** Nanoseconds since the epoch as decimal text: more digits than a double holds. */
  readonly timestampNs: string;
}

/** Service statuses of a poll result, in one of the two forms of the server. */
export type StatusReport =
  | { readonly kind: 'states'; readonly states: readonly ServiceState[] }
  /** The informant page: the family `<prefix>service_status` holds the codes. */
  | { readonly kind: 'page'; readonly families: readonly ParsedFamily[]; readonly prefix: string };
