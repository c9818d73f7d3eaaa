import { ok } from '../../kernel/result.ts';
import type { Command } from '../command.ts';
import { daemonFlags, withDaemon } from '../daemon-api.ts';
import { silencesPath } from './silence-list.ts';

/** Ends a silence. */
export const silenceEnd: Command = {
  flags: daemonFlags,
  arguments: ['<ID>'],
  details: 'Alerts that still fire are notified now. ID is the id that `silence list` prints.',
  examples: ['silence end 5f0c2d'],
  run: (given, ports) =>
    withDaemon(given, ports, async (api) => {
      const [id = ''] = given.arguments;
      const answer = await api.call({ method: 'DELETE', path: `${silencesPath}/${encodeURIComponent(id)}` });
      return answer.ok ? ok(`silence ${id} ended\n`) : answer;
    }),
};
