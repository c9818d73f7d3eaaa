import type { Command } from '../command.ts';
import { daemonFlags, withDaemon } from '../daemon-api.ts';
import { postGuardAction } from '../guard-actions.ts';

/** Pauses the guard of a running daemon. */
export const guardPause: Command = {
  flags: daemonFlags,
  details: 'The pause survives restarts. SIGUSR2 and a file guard.paused in the state directory have the same effect.',
  examples: ['guard pause'],
  run: (given, ports) => withDaemon(given, ports, (api) => postGuardAction(api, { path: 'pause' }, 'guard paused\n')),
};
