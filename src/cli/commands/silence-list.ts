import { silenceSchema } from '../../api/alerts.ts';
import { silenceTable } from '../alert-table.ts';
import type { Command } from '../command.ts';
import { daemonFlags, fetchAllPages } from '../daemon-api.ts';
import { printDaemonView, viewFlags } from '../view.ts';

/** Path of the silences in the HTTP API. */
export const silencesPath = '/api/v1/silences';

/** Lists the silences of a running daemon. */
export const silenceList: Command = {
  flags: [...viewFlags(), ...daemonFlags],
  details: 'Sorted by end, times in UTC.',
  examples: ['silence list', 'silence list --watch'],
  run: (given, ports) =>
    printDaemonView(given, ports, {
      load: (api) => fetchAllPages(api, silencesPath, new URLSearchParams(), silenceSchema),
      text: (silences, terminal) => silenceTable(silences, ports.clock.now().wall, terminal),
    }),
};
