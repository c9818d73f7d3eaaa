import { pageSchema } from '../../api/fields.ts';
import { type QueryReport, querySchema } from '../../api/queries.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Command } from '../command.ts';
import { type DaemonApi, daemonFlags, fetchResponse, withDaemon } from '../daemon-api.ts';
import { postGuardAction } from '../guard-actions.ts';
import { queryTable } from './queries.ts';

const pageLimit = 1000;

/** Ends the pauses of the guard of a running daemon. */
export const guardResume: Command = {
  flags: [
    { name: 'cluster', value: 'NAME', about: 'end only the pauses that concern this cluster alone' },
    { name: 'yes', about: 'resume even if enforcing policies match running queries' },
    ...daemonFlags,
  ],
  details:
    'Ends all pauses, except the pause by the file guard.paused in the state directory: remove the file to end it. ' +
    'If enforcing policies match running queries, the command lists them and resumes only with --yes. Their grace ' +
    'periods start again.',
  examples: ['guard resume', 'guard resume --yes', 'guard resume --cluster prod'],
  run: (given, ports) =>
    withDaemon(given, ports, async (api) => {
      const { cluster } = given.flags;
      const matching = 'yes' in given.flags ? ok([]) : await fetchMatchingQueries(api, cluster);
      if (!matching.ok) return matching;
      const path = cluster === undefined ? 'resume' : `resume?cluster=${encodeURIComponent(cluster)}`;
      if (matching.value.length === 0) return postGuardAction(api, { path }, 'guard resumed\n');
      ports.stdout.write(queryTable(matching.value, matching.value.length, ports.stdout));
      const count = matching.value.length === 1 ? '1 query' : `${matching.value.length} queries`;
      return err(`enforcing policies match ${count}; to resume the guard, run the command with --yes`);
    }),
};

/** Returns the running queries that an enforcing policy matches or will match. */
async function fetchMatchingQueries(
  api: DaemonApi,
  cluster: string | undefined,
): Promise<Result<readonly QueryReport[], string>> {
  const filter = cluster === undefined ? '' : `&cluster=${encodeURIComponent(cluster)}`;
  const path = `/api/v1/queries?limit=${pageLimit}${filter}`;
  const page = await fetchResponse(api, { method: 'GET', path }, pageSchema(querySchema));
  return page.ok ? ok(page.value.items.filter(({ mode, held }) => mode === 'enforce' && held === 'paused')) : page;
}
