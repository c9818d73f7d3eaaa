import { type AuditReport, auditConditions, readAudit } from '../app/guard-audit.ts';
import { momentOf } from '../app/timeline.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { auditTable } from './audit-table.ts';
import { type Command, exitCode, type Given, WrongUse } from './command.ts';
import { type DaemonApi, daemonFlags, openDaemonApi } from './daemon-api.ts';
import type { CliPorts } from './ports.ts';
import { readAuditPage } from './read-audit.ts';

const usualSince = '7d';
const pageSize = 1000;
const filters = ['policy', 'cluster', 'node'] as const;

/** What the guard did and why, for whoever has to answer for it. */
export const guardAudit: Command = {
  name: 'guard audit',
  about: 'show what the guard aborted and why, how that ended, and what operators did',
  flags: [
    { name: 'since', value: 'TIME', about: `how long ago, or a moment such as 2026-01-31T12:00:00Z (${usualSince})` },
    { name: 'policy', value: 'NAME', about: 'only what this policy did' },
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    { name: 'node', value: 'NAME', about: 'only this node' },
    { name: 'json', about: 'print a JSON array, with all evidence' },
    ...daemonFlags,
    { name: 'state-dir', value: 'DIR', about: 'read the state of a stopped daemon instead of asking one that runs' },
  ],
  details: 'The oldest comes first. Times are UTC. AGE is how long the query had run when its abort was decided on.',
  run: async (given, ports) => {
    const found = await findEntries(given, ports);
    if (!found.ok) {
      ports.stderr.write(`graphwarden: ${found.error}\n`);
      return exitCode.failed;
    }
    const oldestFirst = found.value.toReversed();
    const text = 'json' in given.flags ? `${JSON.stringify(oldestFirst, undefined, 2)}\n` : auditTable(oldestFirst);
    ports.stdout.write(text);
    return exitCode.ok;
  },
};

type Found = Result<readonly AuditReport[], string>;

async function findEntries(given: Given, ports: CliPorts): Promise<Found> {
  const { 'state-dir': folder, url } = given.flags;
  if (folder !== undefined && url !== undefined) throw new WrongUse('--state-dir cannot stand beside --url');
  const query = queryOf(given, ports);
  if (folder !== undefined) return await readFolder(folder, query, ports);
  const api = await openDaemonApi(given, ports);
  if (!api.ok) return api;
  const found = await askDaemon(api.value, query);
  await api.value.close();
  return found;
}

/** The beginning is fixed once: pages that are asked for later shall not begin later. */
function queryOf({ flags }: Given, { clock }: CliPorts): URLSearchParams {
  const since = momentOf('--since', flags.since ?? usualSince, clock.now().wall);
  if (!since.ok) throw new WrongUse(since.error);
  const query = new URLSearchParams({ since: new Date(since.value).toISOString() });
  for (const name of filters) {
    const value = flags[name];
    if (value !== undefined) query.set(name, value);
  }
  return query;
}

async function readFolder(folder: string, query: URLSearchParams, { clock, world }: CliPorts): Promise<Found> {
  const where = auditConditions(query, clock.now().wall);
  if (!where.ok) return where;
  const store = await (await world()).readStore(folder);
  if (!store.ok) return store;
  const page = await readAudit(store.value, where.value);
  await store.value.close();
  return page.ok ? ok(page.value.items) : page;
}

/** Rows are counted, not items: what happens between two pages moves the rest along, so that some come twice. */
async function askDaemon(api: DaemonApi, query: URLSearchParams): Promise<Found> {
  const found = new Map<string, AuditReport>();
  for (let offset = 0, total = 1; offset < total; offset += pageSize) {
    const path = `/api/v1/guard/audit?${query.toString()}&limit=${pageSize}&offset=${offset}`;
    const answer = await api.call({ method: 'GET', path });
    if (!answer.ok) return answer;
    const page = readAuditPage(answer.value);
    if (page === undefined) return err('the answer is no page of the audit');
    for (const one of page.items) found.set(JSON.stringify(one), one);
    total = page.total;
  }
  return ok([...found.values()]);
}
