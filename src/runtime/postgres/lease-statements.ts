import { leaseLength } from './held-leases.ts';

/**
 * Tables of the replicas and of the leases. A lease keeps its row when it is free, so that its epoch only grows. All times are
 * of the database's clock.
 */
export const leaseTables: readonly string[] = [
  `CREATE TABLE replicas (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    version TEXT NOT NULL,
    config_hash TEXT NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    seen_at TIMESTAMPTZ NOT NULL
  )`,
  `CREATE TABLE cluster_leases (
    cluster TEXT NOT NULL PRIMARY KEY,
    owner TEXT,
    epoch BIGINT NOT NULL,
    renewed_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    since TIMESTAMPTZ NOT NULL,
    lost_by TEXT
  )`,
];

/** Changes of version 2 of the schema: the replicas send signed requests to each other. */
export const peerTables: readonly string[] = [
  'ALTER TABLE replicas ADD COLUMN fingerprint TEXT',
  // A single row: the primary key has one possible value.
  'CREATE TABLE replica_key (id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1), key TEXT NOT NULL)',
];

const length = `${leaseLength} * interval '1 millisecond'`;
const granted = `renewed_at = clock_timestamp(), expires_at = clock_timestamp() + ${length}`;

/** Leases of a JSON parameter. */
function held(parameter: string): string {
  return `jsonb_to_recordset(${parameter}::jsonb) AS held(cluster TEXT, epoch BIGINT)`;
}

function millis(time: string): string {
  return `floor(extract(epoch FROM ${time}) * 1000)`;
}

/**
 * Registers the replica `$1` (`$2` name, `$3` address, `$4` version, `$5` hash of its clusters, `$7` fingerprint of its certificate) and
 * renews those of its leases `$6` that are still its own. A lease that has ended is renewed as well, unless another replica took it.
 */
export const renewStatement = `WITH registered AS (
    INSERT INTO replicas (id, name, url, version, config_hash, fingerprint, started_at, seen_at)
    VALUES ($1, $2, $3, $4, $5, nullif($7, ''), clock_timestamp(), clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET
      seen_at = clock_timestamp(), url = EXCLUDED.url, version = EXCLUDED.version, config_hash = EXCLUDED.config_hash,
      fingerprint = EXCLUDED.fingerprint
  ), forgotten AS (
    DELETE FROM replicas WHERE id <> $1 AND seen_at < clock_timestamp() - interval '1 hour'
  ), own AS (
    SELECT lease.cluster FROM cluster_leases AS lease JOIN ${held('$6')} ON held.cluster = lease.cluster
    WHERE lease.owner = $1 AND lease.epoch = held.epoch
    ORDER BY lease.cluster FOR UPDATE OF lease
  )
  UPDATE cluster_leases AS lease SET ${granted} FROM own WHERE lease.cluster = own.cluster
  RETURNING lease.cluster, lease.epoch`;

/** Takes for the replica `$1` those of the clusters `$2` (JSON) whose leases are free, have ended or are its own. */
export const takeStatement = `WITH wanted AS (
    SELECT value AS cluster FROM jsonb_array_elements_text($2::jsonb)
  ), created AS (
    INSERT INTO cluster_leases (cluster, owner, epoch, renewed_at, expires_at, since)
    SELECT cluster, $1, 1, clock_timestamp(), clock_timestamp() + ${length}, clock_timestamp() FROM wanted
    ORDER BY cluster ON CONFLICT (cluster) DO NOTHING
    RETURNING cluster, epoch
  ), free AS (
    SELECT lease.cluster, lease.owner FROM cluster_leases AS lease
    WHERE lease.cluster IN (SELECT cluster FROM wanted)
      AND (lease.owner IS NULL OR lease.owner = $1 OR lease.expires_at <= clock_timestamp())
    ORDER BY lease.cluster FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE cluster_leases AS lease SET owner = $1, epoch = lease.epoch + 1, ${granted}, since = clock_timestamp(),
      lost_by = CASE WHEN free.owner <> $1
        THEN coalesce((SELECT name FROM replicas WHERE id = free.owner), free.owner) END
    FROM free WHERE lease.cluster = free.cluster
    RETURNING lease.cluster, lease.epoch, lease.lost_by IS NOT NULL AS taken_over
  )
  SELECT cluster, epoch, FALSE AS taken_over FROM created UNION ALL SELECT cluster, epoch, taken_over FROM taken`;

/** Frees those of the leases `$2` (JSON) that the replica `$1` owns. */
export const releaseStatement = `UPDATE cluster_leases AS lease
  SET owner = NULL, since = clock_timestamp(), lost_by = NULL
  FROM ${held('$2')}
  WHERE lease.cluster = held.cluster AND lease.owner = $1 AND lease.epoch = held.epoch`;

/** Frees all leases of the replica `$1` and removes it. */
export const leaveStatement = `WITH freed AS (
    UPDATE cluster_leases SET owner = NULL, since = clock_timestamp(), lost_by = NULL WHERE owner = $1
  )
  DELETE FROM replicas WHERE id = $1`;

/** Reads all leases. */
export const readLeasesStatement = `SELECT cluster, owner, epoch, lost_by, ${millis('since')} AS since,
    ${millis('(expires_at - clock_timestamp())')} AS expires_in
  FROM cluster_leases ORDER BY cluster`;

/** Stores the key `$1` if there is none yet. */
export const createKeyStatement = 'INSERT INTO replica_key (id, key) VALUES (1, $1) ON CONFLICT (id) DO NOTHING';

/** Reads all replicas, the key that they share, the time, and a text that changes with each pause and silence. */
export const readReplicasStatement = `SELECT id, name, url, version, config_hash, fingerprint, (SELECT key FROM replica_key) AS peer_key,
    ${millis('started_at')} AS started_at, ${millis('seen_at')} AS seen_at,
    seen_at > clock_timestamp() - ${length} AS is_live,
    ${millis('clock_timestamp()')} AS now,
    (SELECT md5(coalesce(string_agg(line, ',' ORDER BY line), '')) FROM (
      SELECT id || ' ' || ends_at AS line FROM silences
      UNION ALL SELECT cluster || ' ' || name FROM guard_standing WHERE kind = 'pause'
    ) AS shared) AS shared_rows
  FROM replicas ORDER BY started_at, id`;

/**
 * Returns those of the leases `$2` (JSON) that the replica `$1` owns, and whether each has not ended (`lasts`). Other replicas cannot
 * take them until the end of the transaction. All statements lock the leases in the order of the clusters, so that no two
 * transactions wait for each other.
 */
export const fenceStatement = `SELECT lease.cluster, lease.epoch, lease.expires_at > clock_timestamp() AS lasts FROM cluster_leases AS lease JOIN ${held('$2')} ON held.cluster = lease.cluster
  WHERE lease.owner = $1 AND lease.epoch = held.epoch
  ORDER BY lease.cluster FOR SHARE OF lease`;
