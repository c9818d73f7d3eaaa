import { formatMatcher, readMatcher } from '../../alert/matcher.ts';
import { createdSilenceSchema, type SilencePreviewReport, silencePreviewSchema } from '../../api/alerts.ts';
import { parseDuration } from '../../kernel/duration.ts';
import { err, ok } from '../../kernel/result.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import { alertTable } from '../alert-table.ts';
import { authorFlag, authorOf } from '../author.ts';
import { type Command, type CommandInput, UsageError } from '../command.ts';
import { daemonFlags, fetchResponse, withDaemon } from '../daemon-api.ts';
import type { CliPorts } from '../ports.ts';
import { formatJson } from '../print.ts';
import type { Terminal } from '../table.ts';
import { tableTerminal, wideFlag } from '../view.ts';
import { silencesPath } from './silence-list.ts';

/** Creates a silence. */
export const silenceAdd: Command = {
  flags: [
    { name: 'for', value: 'DURATION', about: 'length of the silence, such as 2h' },
    { name: 'until', value: 'TIME', about: 'end of the silence, such as 2026-01-31T12:00:00Z; instead of --for' },
    { name: 'from', value: 'TIME', about: 'start of the silence (default: now)' },
    { name: 'reason', value: 'TEXT', about: 'reason of the silence (required)' },
    authorFlag('silence'),
    { name: 'dry-run', about: 'print the alerts that the silence would match now, and create nothing' },
    wideFlag,
    { name: 'json', about: 'print JSON' },
    ...daemonFlags,
  ],
  arguments: ['<MATCHER...>'],
  details:
    'A matcher compares a label with a value or a regular expression: cluster_name=prod, node=~"m1|m2". A silence does not ' +
    'suppress resolve notifications. Alerts that still fire when it ends are notified then. Prints the number of alerts that ' +
    'match now, the most severe of them, and warnings about matchers that match no configured cluster, node or rule.',
  examples: [
    'silence add alertname=GraphdbDiskFilling --for 2h --reason disk',
    'silence add cluster_name=prod --for 2h --reason disk --dry-run',
  ],
  run: (given, ports) => {
    const body = silenceRequest(given, ports);
    const isJson = 'json' in given.flags;
    return withDaemon(given, ports, async (api) => {
      const textOf = ({ warnings, ...preview }: SilencePreviewReport): string => {
        const named = { ...preview, warnings: warnings.map((warning) => namedAsOptions(warning, given)) };
        return previewText(named, ports.clock.now().wall, tableTerminal(given, ports));
      };
      if ('dry-run' in given.flags) {
        const path = `${silencesPath}/preview`;
        const preview = await fetchResponse(api, { method: 'POST', path, body }, silencePreviewSchema);
        return preview.ok
          ? ok(isJson ? formatJson(preview.value) : textOf(preview.value))
          : err(namedAsOptions(preview.error, given));
      }
      const silence = await fetchResponse(api, { method: 'POST', path: silencesPath, body }, createdSilenceSchema);
      if (!silence.ok) return err(namedAsOptions(silence.error, given));
      const { id, endsAt } = silence.value;
      return ok(isJson ? formatJson(silence.value) : `silence ${id} ends at ${endsAt}\n${textOf(silence.value)}`);
    });
  },
};

/** Options for the members of the request that messages name. */
const optionNames = { duration: '--for', endsAt: '--until', startsAt: '--from' } as const;

/** Returns a message of the API with the arguments and options that the user wrote instead of the members of the request. */
function namedAsOptions(message: string, { arguments: words }: CommandInput): string {
  const withMatchers = message.replaceAll(/\bmatchers\.(\d+)/g, (whole, at: string) => {
    const word = words[Number(at)];
    return word === undefined ? whole : `'${word}'`;
  });
  return withMatchers.replaceAll(
    /(?<=^|[:;] )(duration|endsAt|startsAt)\b/g,
    (_, name: keyof typeof optionNames) => optionNames[name],
  );
}

/** Alerts that a silence matches, and warnings. */
function previewText(
  { matchedAlerts, alerts, warnings }: SilencePreviewReport,
  now: number,
  terminal: Terminal,
): string {
  const warned = warnings.map((warning) => `warning: ${replaceControlCharacters(warning)}\n`).join('');
  if (matchedAlerts === 0) return `${warned}matches no alert now\n`;
  const more = matchedAlerts > alerts.length ? `${matchedAlerts - alerts.length} more alerts\n` : '';
  const count = matchedAlerts === 1 ? '1 alert' : `${matchedAlerts} alerts`;
  return `${warned}matches ${count} now:\n${alertTable(alerts, now, terminal)}${more}`;
}

/** Body of the request. Missing options are usage errors, detected before the request. */
function silenceRequest(given: CommandInput, ports: Pick<CliPorts, 'environment'>): Readonly<Record<string, unknown>> {
  const { flags, arguments: words } = given;
  const author = authorOf(given, ports);
  if (flags.reason === undefined) throw new UsageError('required option --reason TEXT not specified');
  const { for: duration, until: endsAt, from: startsAt } = flags;
  if ((duration === undefined) === (endsAt === undefined)) throw new UsageError('specify either --for or --until');
  if (duration !== undefined && !parseDuration(duration).ok)
    throw new UsageError('--for must be a duration such as 2h');
  return { matchers: matchersOf(words), author, reason: flags.reason, duration, endsAt, startsAt };
}

function matchersOf(words: readonly string[]): readonly string[] {
  return words.map((word) => {
    const matcher = readMatcher(word);
    if (!matcher.ok) throw new UsageError(`'${word}' ${matcher.error}`);
    return formatMatcher(matcher.value);
  });
}
