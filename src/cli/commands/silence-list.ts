import { silenceSchema } from '../../api/alerts.ts';
import { ok } from '../../kernel/result.ts';
import { silenceTable } from '../alert-table.ts';
import type { Command } from '../command.ts';
import { daemonFlags, fetchAllPages, withDaemon } from '../daemon-api.ts';
import { formatJson } from '../print.ts';

/** Path of the silences in the HTTP API. */
export const silencesPath = '/api/v1/silences';

/** Lists the silences of a running daemon. */
export const silenceList: Command = {
  flags: [{ name: 'json', about: 'print a JSON array' }, ...daemonFlags],
  details: 'Sorted by end, times in UTC.',
  examples: ['silence list'],
  run: (given, ports) =>
    withDaemon(given, ports, async (api) => {
      const found = await fetchAllPages(api, silencesPath, new URLSearchParams(), silenceSchema);
      if (!found.ok) return found;
      const table = silenceTable(found.value, ports.clock.now().wall, ports.stdout);
      return ok('json' in given.flags ? formatJson(found.value) : table);
    }),
};
