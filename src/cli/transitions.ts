import { momentOf, reportTransition, type TransitionReport, timelineConditions } from '../app/timeline.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { tables, transitionOf } from '../track/rows.ts';
import { type Command, exitCode, type Given, WrongUse } from './command.ts';
import { daemonFlags, openDaemonApi } from './daemon-api.ts';
import type { CliPorts } from './ports.ts';
import { readReport } from './read-report.ts';
import { timelineTable } from './timeline-table.ts';

const usualSince = '24h';
const pageSize = 1000;

/** What every service did, as a person in a terminal wants to read it. */
export const transitions: Command = {
  name: 'transitions',
  about: 'show what every service did and when',
  flags: [
    { name: 'since', value: 'TIME', about: `how long ago, or a moment such as 2026-01-31T12:00:00Z (${usualSince})` },
    { name: 'service', value: 'NAME', about: 'only this service, such as GPE' },
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    { name: 'json', about: 'print a JSON array' },
    ...daemonFlags,
    { name: 'state-dir', value: 'DIR', about: 'read the state of a stopped daemon instead of asking one that runs' },
  ],
  details: 'The oldest comes first. Times are UTC.',
  run: async (given, ports) => {
    const found = await findTransitions(given, ports);
    if (!found.ok) {
      ports.stderr.write(`graphwarden: ${found.error}\n`);
      return exitCode.failed;
    }
    // What came at the same moment stays in the order of names.
    const oldestFirst = found.value.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
    const json = 'json' in given.flags;
    ports.stdout.write(json ? `${JSON.stringify(oldestFirst, undefined, 2)}\n` : timelineTable(oldestFirst));
    return exitCode.ok;
  },
};

type Found = Result<readonly TransitionReport[], string>;

async function findTransitions(given: Given, ports: CliPorts): Promise<Found> {
  const { 'state-dir': folder, url } = given.flags;
  if (folder !== undefined && url !== undefined) throw new WrongUse('--state-dir cannot stand beside --url');
  const query = queryOf(given, ports);
  return folder === undefined ? await askDaemon(query, given, ports) : await readFolder(folder, query, ports);
}

function queryOf({ flags }: Given, { clock }: CliPorts): URLSearchParams {
  const { since = usualSince, service, cluster } = flags;
  const moment = momentOf('--since', since, clock.now().wall);
  if (!moment.ok) throw new WrongUse(moment.error);
  const query = new URLSearchParams({ since });
  if (service !== undefined) query.set('service', service);
  if (cluster !== undefined) query.set('cluster', cluster);
  return query;
}

async function readFolder(folder: string, query: URLSearchParams, { clock, world }: CliPorts): Promise<Found> {
  const where = timelineConditions(query, clock.now().wall);
  if (!where.ok) return where;
  const store = await (await world()).readStore(folder);
  if (!store.ok) return store;
  const order = ['-at', 'cluster', 'service', 'partition', 'replica'];
  const rows = await store.value.find({ table: tables.transitions, where: where.value, order });
  await store.value.close();
  if (!rows.ok) return rows;
  return ok(rows.value.flatMap((row) => transitionOf(row) ?? []).map(reportTransition));
}

async function askDaemon(query: URLSearchParams, given: Given, ports: CliPorts): Promise<Found> {
  const api = await openDaemonApi(given, ports);
  if (!api.ok) return api;
  // What happens between two pages moves the rest along, so that some come twice.
  const found = new Map<string, TransitionReport>();
  let total = 1;
  let trouble: string | undefined;
  for (let offset = 0; offset < total && trouble === undefined; offset += pageSize) {
    const path = `/api/v1/transitions?${query.toString()}&limit=${pageSize}&offset=${offset}`;
    const page = pageOf(await api.value.call({ method: 'GET', path }));
    trouble = page.ok ? undefined : page.error;
    total = page.ok ? page.value.total : 0;
    for (const one of page.ok ? page.value.items : []) found.set(JSON.stringify(one), one);
  }
  await api.value.close();
  return trouble === undefined ? ok([...found.values()]) : err(trouble);
}

function pageOf(answer: Result<unknown, string>) {
  if (!answer.ok) return answer;
  const page = readReport(answer.value);
  return page === undefined ? err('the answer is no page of transitions') : ok(page);
}
