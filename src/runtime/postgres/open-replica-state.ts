import { randomUUID } from 'node:crypto';
import type { RequestHandler } from '../../kernel/listener.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { StoreOpenError } from '../../kernel/store.ts';
import type { Files } from '../../kernel/system.ts';
import type { OpenSharedState, SharedStateSettings } from '../../model/replica-database.ts';
import type { TlsSettings } from '../../model/settings.ts';
import { openHttpPool } from '../http-pool.ts';
import { PeerChannel } from '../peers/peer-channel.ts';
import { isDatabaseLocked, messageOf } from '../store/sqlite-errors.ts';
import { type FolderLock, lockFolder, makeFolder } from '../store/state-directory.ts';
import { nodeTlsOptions } from '../tls-material.ts';
import type { PostgresCredentials, PostgresSettings } from './connection.ts';
import { DatabaseOffset, databaseClock } from './database-clock.ts';
import { ConnectionLost } from './errors.ts';
import type { LeaseSnapshot } from './lease-database.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { openLeaseConnection, openPostgresStore } from './open-postgres.ts';
import { OutageAgreement, replicaPath } from './outage-agreement.ts';
import { PostgresLeases } from './postgres-leases.ts';

/** Opens the shared database. */
export const openSharedState: OpenSharedState = async (options) => {
  const { clock, log, files, retention, program, folder } = options;
  const lock = claimFolder(folder);
  if (!lock.ok) return lock;
  const settings = postgresSettings(options.settings, files);
  const id = randomUUID();
  const offset = new DatabaseOffset();
  const database = new PostgresLeases(id, openLeaseConnection(settings, clock));
  const replicaClock = databaseClock(clock, offset);
  const answer: RequestHandler = (request) => agreement.answer(request, ownership);
  const peers = new PeerChannel({
    clock: replicaClock,
    id,
    openPool: openHttpPool,
    peerHandlers: { [replicaPath]: answer },
  });
  const agreement = new OutageAgreement({
    clock,
    log,
    peers,
    introduce: (other, address) => peers.introduce(other, address),
  });
  const onSnapshot = ({ replicas, peerKey }: LeaseSnapshot): void => peers.update(replicas, peerKey);
  const ownership = new LeaseKeeper({ clock, log, database, id, offset, onSnapshot, agreement });
  const fence = { id, epochOf: (cluster: string) => ownership.epochOf(cluster) };
  const writeProblem = (): string | undefined => ownership.writeProblem();
  const store = await openPostgresStore({ settings, retention, clock, program, fence, writeProblem });
  const release = async (): Promise<void> => {
    await peers.close();
    lock.value.release();
  };
  if (store.ok) {
    const shared = { ownership, peers, peerGate: peers.gate, clock: replicaClock };
    return ok({ store: store.value, ...shared, unlock: release });
  }
  await database.close();
  await release();
  return store;
};

/** Locks the state directory, which contains the socket and the last accepted configuration of one process. */
function claimFolder(folder: string): Result<FolderLock, StoreOpenError> {
  try {
    makeFolder(folder);
    return ok(lockFolder(folder));
  } catch (error) {
    const message = isDatabaseLocked(error)
      ? `another daemon uses the state directory '${folder}': each replica needs its own`
      : `the state directory '${folder}' cannot be used: ${messageOf(error)}`;
    return err({ kind: 'locked', message });
  }
}

/** Returns how to connect to a database. Secrets and certificates are read for each connection. */
export function postgresSettings(
  { passwordFile, tls, hosts, user, database }: SharedStateSettings,
  files: Pick<Files, 'readText'>,
): PostgresSettings {
  const read = async (path: string | undefined): Promise<string | undefined> => {
    if (path === undefined) return undefined;
    const text = await files.readText(path);
    if (!text.ok) throw new ConnectionLost(text.error);
    return text.value;
  };
  const credentials = async (): Promise<PostgresCredentials> => {
    const password = (await read(passwordFile))?.trimEnd();
    return tls === undefined ? { password } : { password, tls: await tlsOptions(tls, read) };
  };
  return { hosts, user, database, credentials };
}

async function tlsOptions(
  { caFile, certFile, keyFile, serverName, insecureSkipVerify }: TlsSettings,
  read: (path: string | undefined) => Promise<string | undefined>,
): Promise<NonNullable<PostgresCredentials['tls']>> {
  const [ca, cert, key] = [await read(caFile), await read(certFile), await read(keyFile)];
  const material = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    insecureSkipVerify,
  };
  return { ...nodeTlsOptions(material), ...(serverName !== undefined && { servername: serverName }) };
}
