import { z } from 'zod';
import type { LeaseChange, StateWrite } from './evidence.ts';
import type { PostgresPair } from './postgres-pair.ts';
import { addressOf } from './replica.ts';

const log = 'failover_log';

/**
 * Triggers that log each change of a lease and each write to a row of a cluster, with the address of the connection. They
 * record what the database committed, independent of the reports of the replicas.
 */
const triggers = `
CREATE SCHEMA ${log};
CREATE TABLE ${log}.changes (at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(), address TEXT, tab TEXT, content JSONB);
CREATE FUNCTION ${log}.record() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO ${log}.changes (address, tab, content) VALUES (host(inet_client_addr()), TG_TABLE_NAME,
    CASE WHEN TG_TABLE_NAME = 'cluster_leases' THEN to_jsonb(NEW)
      ELSE jsonb_build_object('cluster', CASE WHEN TG_OP = 'DELETE' THEN OLD.cluster ELSE NEW.cluster END) END);
  RETURN NULL;
END $$;
DO $$
DECLARE found RECORD;
BEGIN
  FOR found IN SELECT table_schema, table_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE column_name = 'cluster' AND table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema', '${log}')
  LOOP
    EXECUTE format('CREATE TRIGGER failover_log AFTER INSERT OR UPDATE OR DELETE ON %I.%I FOR EACH ROW EXECUTE FUNCTION ${log}.record()',
      found.table_schema, found.table_name);
  END LOOP;
END $$;`;

const changeRow = z.object({
  at: z.number(),
  address: z.string().nullable(),
  tab: z.string(),
  content: z.looseObject({ cluster: z.string().nullable() }).nullable(),
});
type ChangeRow = z.infer<typeof changeRow>;

const leaseRow = z.object({ owner: z.string().nullable(), expires_at: z.string() });

/** Adds the triggers to the tables that a replica created. */
export async function installLeaseLog(database: PostgresPair): Promise<void> {
  await database.run(triggers);
}

/** Returns true when a replica created the tables. */
export async function hasTables(database: PostgresPair): Promise<boolean> {
  const found = await database.run("SELECT FROM information_schema.tables WHERE table_name = 'cluster_leases'");
  return found.length === 1;
}

/** Changes that the triggers logged, oldest first. */
export interface LoggedChanges {
  readonly leases: readonly LeaseChange[];
  readonly writes: readonly StateWrite[];
}

/**
 * Reads what the triggers logged. A lease counts from its statement, with the time by which it ends; a write counts from its
 * commit, because another replica may own the cluster by then.
 */
export async function readLeaseLog(database: PostgresPair): Promise<LoggedChanges> {
  const time = "CASE WHEN tab = 'cluster_leases' THEN at ELSE coalesce(pg_xact_commit_timestamp(xmin), at) END";
  const columns = `(extract(epoch FROM ${time}) * 1000)::float8 AS at, address, tab, content`;
  const found = await database.run(`SELECT ${columns} FROM ${log}.changes ORDER BY 1`);
  const rows = found.map((row) => changeRow.parse(row));
  return { leases: rows.flatMap(leaseChange), writes: rows.flatMap(stateWrite) };
}

function leaseChange({ at, address, tab, content }: ChangeRow): readonly LeaseChange[] {
  if (tab !== 'cluster_leases' || content === null) return [];
  const { owner, expires_at: expiresAt } = leaseRow.parse(content);
  const change = { at, cluster: content.cluster ?? '', replica: replicaAt(address) };
  return [{ ...change, owner: owner ?? undefined, expiresAt: Date.parse(expiresAt) }];
}

function stateWrite({ at, address, tab, content }: ChangeRow): readonly StateWrite[] {
  if (tab === 'cluster_leases') return [];
  return [{ at, table: tab, cluster: content?.cluster ?? '', replica: replicaAt(address) }];
}

function replicaAt(address: string | null): number {
  return Array.from({ length: 10 }, (_, index) => index).find((index) => addressOf(index) === address) ?? Number.NaN;
}
