import { type AlertReport, phases, type SilenceReport } from '../app/alert-report.ts';
import { severities } from '../model/alert.ts';
import { type Members, membersOf, type Page, readPage, textOf } from './members.ts';

/** Reads what a daemon, perhaps of another version, answered; undefined where that is no page of alerts. */
export function readAlerts(answer: unknown): Page<AlertReport> | undefined {
  return readPage(answer, alertOf);
}

/** The same of silences. */
export function readSilences(answer: unknown): Page<SilenceReport> | undefined {
  return readPage(answer, readSilence);
}

/** One silence; undefined where it is none. */
export function readSilence(answer: unknown): SilenceReport | undefined {
  const members = membersOf(answer);
  const [startsAt, endsAt, id] = [textOf(members, 'startsAt'), textOf(members, 'endsAt'), textOf(members, 'id')];
  if (id === '' || !isMoment(startsAt) || !isMoment(endsAt)) return undefined;
  const match = Object.entries(membersOf(members.match)).map(([name, values]) => [name, textsIn(values)] as const);
  const words = { author: textOf(members, 'author'), reason: textOf(members, 'reason') };
  return { id, match: Object.fromEntries(match), startsAt, endsAt, ...words };
}

function alertOf(item: unknown): AlertReport | undefined {
  const members = membersOf(item);
  const [rule, startsAt] = [textOf(members, 'rule'), textOf(members, 'startsAt')];
  const phase = phases.find((one) => one === members.phase);
  const severity = severities.find((one) => one === members.severity);
  if (rule === '' || !isMoment(startsAt) || phase === undefined || severity === undefined) return undefined;
  return {
    key: textOf(members, 'key'),
    episode: typeof members.episode === 'number' ? members.episode : 0,
    cluster: textOf(members, 'cluster'),
    rule,
    severity,
    phase,
    labels: labelsIn(members.labels),
    annotations: labelsIn(members.annotations),
    startsAt,
    endsAt: textOrNull(members, 'endsAt'),
    silencedBy: textOrNull(members, 'silencedBy'),
    inhibitedBy: textOrNull(members, 'inhibitedBy'),
    maintenance: textOrNull(members, 'maintenance'),
  };
}

function textOrNull(members: Members, name: string): string | null {
  const value = members[name];
  return typeof value === 'string' ? value : null;
}

function labelsIn(value: unknown): Readonly<Record<string, string>> {
  const members = membersOf(value);
  return Object.fromEntries(Object.keys(members).map((name) => [name, textOf(members, name)]));
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function isMoment(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}
