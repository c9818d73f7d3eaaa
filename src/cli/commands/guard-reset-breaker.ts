import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import type { Command } from '../command.ts';
import { daemonFlags, withDaemon } from '../daemon-api.ts';
import { postGuardAction } from '../guard-actions.ts';

/** Closes an open circuit breaker of the guard. */
export const guardResetBreaker: Command = {
  flags: daemonFlags,
  arguments: ['<CLUSTER>', '<KEY...>'],
  details: 'KEY is the key that `guard status` prints. The counter of the breaker starts again at 0.',
  examples: ['guard reset-breaker prod no_relief runaway'],
  run: (given, ports) =>
    withDaemon(given, ports, (api) => {
      const [cluster = '', ...words] = given.arguments;
      const breaker = words.join(' ');
      const done = replaceControlCharacters(`breaker ${breaker} closed in ${cluster}`);
      return postGuardAction(api, { path: 'breakers/reset', body: { cluster, breaker } }, `${done}\n`);
    }),
};
