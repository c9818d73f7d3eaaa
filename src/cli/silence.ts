import type { Match } from '../alert/alerting.ts';
import type { SilenceReport } from '../app/alert-report.ts';
import { parseDuration } from '../kernel/duration.ts';
import { err, ok } from '../kernel/result.ts';
import { silenceTable } from './alert-table.ts';
import { allPages } from './all-pages.ts';
import { type Command, type Given, WrongUse } from './command.ts';
import { daemonFlags } from './daemon-api.ts';
import type { CliPorts } from './ports.ts';
import { readSilence, readSilences } from './read-alerts.ts';
import { withDaemon } from './with-daemon.ts';

const path = '/api/v1/silences';

const silenceAdd: Command = {
  name: 'silence add',
  about: 'hear nothing of some alerts for a while',
  flags: [
    { name: 'for', value: 'TIME', about: 'how long, such as 2h' },
    { name: 'until', value: 'MOMENT', about: 'or when it ends, such as 2026-01-31T12:00:00Z' },
    { name: 'from', value: 'MOMENT', about: 'when it begins, where that is not at once' },
    { name: 'reason', value: 'TEXT', about: 'why' },
    { name: 'author', value: 'NAME', about: 'who wants it; else the user who asks' },
    { name: 'json', about: 'print the silence as JSON' },
    ...daemonFlags,
  ],
  argument: { name: 'LABEL=VALUE', required: true, repeated: true },
  details:
    'Silences the alerts that have all these labels; a label that comes several times may have any of its values.\n' +
    'That an alert is over is told all the same. What still fires when the silence ends is told then.',
  run: (given, ports) => {
    const body = requestOf(given, ports);
    return withDaemon(given, ports, async (api) => {
      const answer = await api.call({ method: 'POST', path, body });
      if (!answer.ok) return answer;
      const silence = readSilence(answer.value);
      if (silence === undefined) return err('the answer is no silence');
      return ok('json' in given.flags ? jsonOf(silence) : `silence ${silence.id} ends at ${silence.endsAt}\n`);
    });
  },
};

const silenceList: Command = {
  name: 'silence list',
  about: 'show the silences that hold or will',
  flags: [{ name: 'json', about: 'print a JSON array' }, ...daemonFlags],
  details: 'The first to end comes first. Times are UTC.',
  run: (given, ports) =>
    withDaemon(given, ports, async (api) => {
      const found = await allPages(api, path, new URLSearchParams(), readSilences);
      if (!found.ok) return found;
      return ok('json' in given.flags ? jsonOf(found.value) : silenceTable(found.value, ports.clock.now().wall));
    }),
};

const silenceEnd: Command = {
  name: 'silence end',
  about: 'end a silence before its time',
  flags: daemonFlags,
  argument: { name: 'ID', required: true },
  details: 'What still fires is told now.',
  run: (given, ports) =>
    withDaemon(given, ports, async (api) => {
      const [id = ''] = given.arguments;
      const answer = await api.call({ method: 'DELETE', path: `${path}/${encodeURIComponent(id)}` });
      return answer.ok ? ok(`silence ${id} is over\n`) : answer;
    }),
};

/** What is not to be heard of for a while. */
export const silenceCommands: readonly Command[] = [silenceAdd, silenceList, silenceEnd];

/** What is missing is said before anybody is asked. */
function requestOf({ flags, arguments: words }: Given, { environment }: CliPorts): Readonly<Record<string, unknown>> {
  const author = flags.author ?? flags.user ?? environment.GRAPHWARDEN_USER;
  if (author === undefined) throw new WrongUse('--author is missing');
  if (flags.reason === undefined) throw new WrongUse('--reason is missing');
  const { for: duration, until: endsAt, from: startsAt } = flags;
  if ((duration === undefined) === (endsAt === undefined)) throw new WrongUse('either --for or --until is wanted');
  if (duration !== undefined && !parseDuration(duration).ok) throw new WrongUse('--for wants a time such as 2h');
  return { match: matchOf(words), author, reason: flags.reason, duration, endsAt, startsAt };
}

function matchOf(words: readonly string[]): Match {
  const match = new Map<string, string[]>();
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw new WrongUse(`'${word}' is not LABEL=VALUE`);
    const name = word.slice(0, at);
    match.set(name, [...(match.get(name) ?? []), word.slice(at + 1)]);
  }
  return Object.fromEntries(match);
}

function jsonOf(value: SilenceReport | readonly SilenceReport[]): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
