import type { Logger } from '../kernel/logger.ts';
import type { Ownership } from '../kernel/ownership.ts';
import type { PeerGate, Peers } from '../kernel/peers.ts';
import type { Result } from '../kernel/result.ts';
import type { StateReport } from '../kernel/state-tools.ts';
import type { Retention, Store, StoreOpenError } from '../kernel/store.ts';
import type { Files } from '../kernel/system.ts';
import type { Clock } from '../kernel/time.ts';
import type { TlsSettings } from './settings.ts';

/** PostgreSQL database that several replicas share. */
export interface SharedStateSettings {
  /** Servers of one installation, of which one accepts writes. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly user: string;
  readonly database: string;
  readonly passwordFile?: string;
  /** Absent for connections without TLS. */
  readonly tls?: TlsSettings;
}

/** State that several replicas share. */
export interface SharedState {
  readonly store: Store;
  /** The application starts and stops it. */
  readonly ownership: Ownership;
  /** The other replicas, as far as the database names them. */
  readonly peers: Peers;
  /** Checks the requests of other replicas. */
  readonly peerGate: PeerGate;
  /** Clock whose wall time is that of the database. */
  readonly clock: Clock;
  /** Closes the connections to other replicas, and releases the folder. */
  readonly unlock: () => Promise<void>;
}

/**
 * Port that opens the shared database, and migrates it if needed. Waits for half a minute for a database that cannot be
 * reached. `program` is this release.
 */
export type OpenSharedState = (options: {
  readonly settings: SharedStateSettings;
  /** State directory of this process. */
  readonly folder: string;
  readonly retention: Retention;
  readonly clock: Clock;
  readonly log: Logger;
  readonly files: Files;
  readonly program: string;
}) => Promise<Result<SharedState, StoreOpenError>>;

/** Where `state migrate` copies the state to. */
export type MigrationTarget = 'postgres' | 'directory';

/** State that was copied between a state directory and a shared database. */
export interface StateMigration {
  readonly from: string;
  readonly to: string;
  /** Tables with their rows, counted in the target. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
}

/** Dependencies of the tools for a shared database. */
export interface SharedStateToolOptions {
  readonly files: Pick<Files, 'readText'>;
  readonly clock: Clock;
  /** This release. */
  readonly program: string;
}

/** Port to the tools for a shared database. Errors are sentences. */
export interface SharedStateTools {
  /** Checks the database, and changes nothing. */
  check(settings: SharedStateSettings): Promise<Result<StateReport, string>>;
  /** Copies all rows. Refused if the target has rows, and while a daemon uses one of both. */
  migrate(
    target: MigrationTarget,
    location: { readonly settings: SharedStateSettings; readonly folder: string },
  ): Promise<Result<StateMigration, string>>;
}
