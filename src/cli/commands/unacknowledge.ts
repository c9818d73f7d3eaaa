import { alertSchema } from '../../api/alerts.ts';
import { ok } from '../../kernel/result.ts';
import type { Command } from '../command.ts';
import { daemonFlags, fetchResponse, withDaemon } from '../daemon-api.ts';

/** Withdraws the acknowledgement of an incident. */
export const unacknowledge: Command = {
  flags: daemonFlags,
  arguments: ['<ID>'],
  details:
    'ID is the id of the incident that `alerts` prints. The receivers are notified, except PagerDuty, whose API cannot ' +
    'withdraw an acknowledgement.',
  examples: ['unacknowledge 5f0c1f6f3a6e-7'],
  run: (given, ports) =>
    withDaemon(given, ports, async (api) => {
      const [id = ''] = given.arguments;
      const path = `/api/v1/incidents/${encodeURIComponent(id)}/unacknowledge`;
      const done = await fetchResponse(api, { method: 'POST', path }, alertSchema);
      return done.ok ? ok(`acknowledgement of incident ${id} withdrawn\n`) : done;
    }),
};
