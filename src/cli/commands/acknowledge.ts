import { acknowledgeRequestSchema, alertSchema } from '../../api/alerts.ts';
import { ok } from '../../kernel/result.ts';
import { authorFlag, authorOf } from '../author.ts';
import { type Command, type CommandInput, UsageError } from '../command.ts';
import { daemonFlags, fetchResponse, withDaemon } from '../daemon-api.ts';
import type { CliPorts } from '../ports.ts';
import { formatJson } from '../print.ts';

/** Acknowledges a firing incident. */
export const acknowledge: Command = {
  flags: [
    { name: 'comment', value: 'TEXT', about: 'comment for the other receivers of the incident' },
    authorFlag('acknowledgement'),
    { name: 'json', about: 'print the incident as JSON' },
    ...daemonFlags,
  ],
  arguments: ['<ID>'],
  details:
    'ID is the id of the incident that `alerts` prints and that each notification contains. The other receivers are ' +
    'notified. The acknowledgement ends with the incident, or with `unacknowledge`.',
  examples: ['acknowledge 5f0c1f6f3a6e-7 --comment "replacing the disk"'],
  run: (given, ports) => {
    const { id, body } = acknowledgeRequest(given, ports);
    return withDaemon(given, ports, async (api) => {
      const path = `/api/v1/incidents/${encodeURIComponent(id)}/acknowledge`;
      const done = await fetchResponse(api, { method: 'POST', path, body }, alertSchema);
      if (!done.ok) return done;
      return ok('json' in given.flags ? formatJson(done.value) : `incident ${id} acknowledged by ${body.author}\n`);
    });
  },
};

function acknowledgeRequest(given: CommandInput, ports: CliPorts) {
  const {
    flags,
    arguments: [id = ''],
  } = given;
  const author = authorOf(given, ports);
  const body = { author, ...(flags.comment === undefined ? {} : { comment: flags.comment }) };
  const parsed = acknowledgeRequestSchema.safeParse(body);
  const [issue] = parsed.error?.issues ?? [];
  if (issue !== undefined) throw new UsageError(`--${issue.path.join('.')}: ${issue.message}`);
  return { id, body };
}
