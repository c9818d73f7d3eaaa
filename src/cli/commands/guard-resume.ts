import type { Command } from '../command.ts';
import { daemonFlags, withDaemon } from '../daemon-api.ts';
import { postGuardAction } from '../guard-actions.ts';

/** Ends the pauses of the guard of a running daemon. */
export const guardResume: Command = {
  flags: daemonFlags,
  details: 'Ends each pause except that of the file guard.paused in the state directory: remove the file.',
  examples: ['guard resume'],
  run: (given, ports) => withDaemon(given, ports, (api) => postGuardAction(api, { path: 'resume' }, 'guard resumed\n')),
};
