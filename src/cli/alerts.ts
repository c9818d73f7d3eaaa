import type { AlertReport } from '../app/alert-report.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { alertTable } from './alert-table.ts';
import { allPages } from './all-pages.ts';
import type { Command, Given } from './command.ts';
import { type DaemonApi, daemonFlags } from './daemon-api.ts';
import { membersOf } from './members.ts';
import { readAlerts } from './read-alerts.ts';
import { withDaemon } from './with-daemon.ts';

const filters = ['cluster', 'severity', 'rule'] as const;

/** What fires now, for somebody who was paged, or wants to know whether anybody will be. */
export const alerts: Command = {
  name: 'alerts',
  about: 'show what fires, and what is about to',
  flags: [
    { name: 'all', about: 'also those that are over, and the watchdog, which always fires' },
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    { name: 'severity', value: 'WORD', about: 'only this severity: critical, warning or info' },
    { name: 'rule', value: 'NAME', about: 'only this rule, such as disk_filling' },
    { name: 'json', about: 'print a JSON array' },
    ...daemonFlags,
  ],
  details: 'The most urgent comes first. Of what is silenced, in maintenance, or explained by another, nobody is told.',
  run: (given, ports) =>
    withDaemon(given, ports, async (api) => {
      const found = await findAlerts(given, api);
      if (!found.ok) return found;
      if ('json' in given.flags) return ok(`${JSON.stringify(found.value, undefined, 2)}\n`);
      return ok(alertTable(found.value, ports.clock.now().wall));
    }),
};

async function findAlerts({ flags }: Given, api: DaemonApi): Promise<Result<readonly AlertReport[], string>> {
  const query = new URLSearchParams();
  for (const name of filters) {
    const value = flags[name];
    if (value !== undefined) query.set(name, value);
  }
  const found = await allPages(api, '/api/v1/alerts', query, readAlerts);
  if (!found.ok) return found;
  if (found.value.length === 0 && (await isUnknown(flags.cluster, api))) {
    return err(`the daemon watches no cluster '${flags.cluster}', and has no alert of one`);
  }
  return 'all' in flags ? found : ok(found.value.filter(isOfInterest));
}

/** A mistyped name must not look as if all were well. */
async function isUnknown(cluster: string | undefined, api: DaemonApi): Promise<boolean> {
  if (cluster === undefined || cluster === '') return false;
  const query = new URLSearchParams({ name: cluster });
  const answer = await api.call({ method: 'GET', path: `/api/v1/clusters?${query.toString()}` });
  return answer.ok && membersOf(answer.value).total === 0;
}

function isOfInterest({ phase, rule }: AlertReport): boolean {
  return phase !== 'resolved' && rule !== 'watchdog';
}
