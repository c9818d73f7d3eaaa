import { reloadSchema } from '../../api/fields.ts';
import { ok } from '../../kernel/result.ts';
import type { Command } from '../command.ts';
import { daemonFlags, withDaemon } from '../daemon-api.ts';

/** Reloads the configuration of a running daemon. */
export const reload: Command = {
  flags: daemonFlags,
  details:
    'Exit code 1 if the configuration file or the web config file is rejected: the daemon keeps the previous version of ' +
    'that file, and the command prints each problem with its position.',
  examples: ['reload', 'reload --state-dir /var/lib/graphwarden/state'],
  run: (given, ports) =>
    withDaemon(given, ports, async (api) => {
      const answer = await api.call({ method: 'POST', path: '/-/reload' });
      if (!answer.ok) return answer;
      const { restartRequired: settings = [] } = reloadSchema.safeParse(answer.value).data ?? {};
      const rest = settings.length === 0 ? '' : `restart the daemon to apply the changes of ${settings.join(', ')}\n`;
      return ok(`configuration reloaded\n${rest}`);
    }),
};
