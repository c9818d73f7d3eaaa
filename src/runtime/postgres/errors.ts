import { certificateProblems } from '../http-failure.ts';

/** Effect of an error of PostgreSQL or of its connection on the failed work. */
export type ErrorKind =
  /** The connection is of no further use, and a commit may have happened; a new connection can repeat the work. */
  | 'connection'
  /** The transaction was rolled back, and can be repeated. */
  | 'repeat'
  /** The transaction was rolled back, and would fail again. */
  | 'refused';

/** Error whose cause is the connection and not the statement. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** A lease ended that no other replica took: the commit can be repeated after its renewal, on the same connection. */
export class LeaseNotRenewed extends Error {
  override readonly name = 'LeaseNotRenewed';
  /** Severity of an error of the server after which the connection is usable. */
  readonly severity = 'ERROR';
  /** Serialization failure, which is repeated. */
  readonly code = '40001';

  constructor(cluster: string) {
    super(`the lease of '${cluster}' is not renewed yet`);
  }
}

/** The database accepts no writes: it is a standby. */
const readOnlyTransaction = '25006';

/** SQLSTATE of errors after which a new connection may help: idle for too long, shutdown, start, failover, no resources. */
const connectionCodes: readonly RegExp[] = [
  /^08/,
  /^25P03$/,
  /^57P0/,
  /^53/,
  /^58/,
  /^XX/,
  /^3D000$/,
  /^28/,
  new RegExp(`^${readOnlyTransaction}$`),
];

/** Serialization failure, deadlock, lock timeout and statement timeout. */
const repeatCodes: ReadonlySet<string> = new Set(['40001', '40P01', '55P03', '57014']);

/** Classifies an error. */
export function kindOfError(error: unknown): ErrorKind {
  if (error instanceof TypeError) return 'refused';
  const code = codeOf(error);
  // An error without an SQLSTATE is one of the socket or of the protocol.
  if (error instanceof ConnectionLost || code === undefined || !/^[0-9A-Z]{5}$/.test(code)) return 'connection';
  if (repeatCodes.has(code)) return 'repeat';
  return connectionCodes.some((pattern) => pattern.test(code)) ? 'connection' : 'refused';
}

/** User, database and hosts of a connection, for messages. */
export interface DatabaseTarget {
  readonly user: string;
  readonly database: string;
  /** Hosts with their ports. */
  readonly hosts: string;
}

const messages: readonly (readonly [RegExp, (target: DatabaseTarget) => string])[] = [
  [
    /^28/,
    ({ user }) =>
      `PostgreSQL refuses the user '${user}': check the user in state_url, state_password_file and pg_hba.conf`,
  ],
  [
    /^3D000$/,
    ({ database, user }) =>
      `there is no database '${database}': create it with CREATE DATABASE "${database}" OWNER "${user}"`,
  ],
  [
    /^42501$/,
    ({ user, database }) =>
      `the user '${user}' lacks privileges: GRANT CREATE ON DATABASE "${database}" TO "${user}", and it must own the schema graphwarden`,
  ],
  [
    /^53300$/,
    () =>
      'PostgreSQL has no connection left: raise max_connections or give the user a higher limit; each replica needs three',
  ],
  [/^53100$/, () => 'the disk of PostgreSQL is full'],
  [
    new RegExp(`^${readOnlyTransaction}$`),
    ({ hosts }) => `${hosts} accepts no writes: name the primary, or all hosts of the installation, in state_url`,
  ],
  [/^25P03$/, () => 'PostgreSQL closed the connection, because this process was idle in a transaction for too long'],
  [/^57P0/, () => 'PostgreSQL is shutting down or starting'],
  [/^57014$/, () => 'PostgreSQL did not answer in time'],
  [/^55P03$/, () => 'PostgreSQL did not get a lock in time'],
  [
    /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/,
    ({ hosts }) => `PostgreSQL at ${hosts} cannot be reached`,
  ],
];

/** Returns the message of an error as a sentence that says what to do, if there is one. */
export function describeError(error: unknown, target: DatabaseTarget): string {
  const code = codeOf(error);
  const problem = certificateProblems[code ?? ''];
  if (problem !== undefined) return `PostgreSQL at ${target.hosts} cannot be used with TLS: ${problem}`;
  const [, sentence] = messages.find(([pattern]) => code !== undefined && pattern.test(code)) ?? [];
  const detail = firstMessage(error);
  if (sentence === undefined) return detail;
  return code !== undefined && /^E[A-Z]/.test(code) ? `${sentence(target)} (${code})` : sentence(target);
}

function codeOf(error: unknown): string | undefined {
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

function firstMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0] ?? '';
}
