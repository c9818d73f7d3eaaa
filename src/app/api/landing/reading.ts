import type { CollectorReport, NodeReport } from '../../../api/clusters.ts';
import { formatElapsed } from '../../../kernel/duration.ts';
import { formatMoment } from '../../../kernel/timestamp.ts';
import { hintFor } from './hints.ts';
import { type Statement, say } from './statement.ts';
import { count, list, sentence, short } from './words.ts';

/** State of one collector on one node, with its configured interval. */
export interface Doing extends CollectorReport {
  /** Configured interval; 0 for a collector with a `schedule`. */
  readonly everySeconds: number;
  /** Privilege that it needs on the server; `''` for none. */
  readonly privilege: string;
}

/** Describes polls that succeed, fail or run less often; failures on nodes that are down are only counted. */
export function readingInWords(
  all: readonly Doing[],
  nodes: readonly NodeReport[],
  wall: number,
): readonly Statement[] {
  const down = new Set(nodes.filter(({ state }) => state === 'down').map(({ name }) => name));
  const isDead = nodes.length > 0 && down.size === nodes.length;
  const failing = all.filter(({ state }) => state === 'failing');
  const explained = (doing: Doing): boolean => (doing.node === '' ? isDead : down.has(doing.node));
  const alone = failing.filter((doing) => !explained(doing));
  const groups = Map.groupBy(alone, ({ collector, reason }) => JSON.stringify([collector, reason]));
  const dropped = all.reduce((sum, { seriesDropped }) => sum + seriesDropped, 0);
  return [
    summary(all, failing.length),
    ...hintedOnce([...groups.values()].map((group) => failureOf(group, wall))),
    ...(alone.length === failing.length
      ? []
      : [say('plain', `${failing.length - alone.length} because of nodes that are down`)]),
    ...stretched(all),
    ...(dropped === 0
      ? []
      : [say('plain', `${count(dropped, 'sample')} did not go on the page (twice there, or over limits)`)]),
  ];
}

function summary(all: readonly Doing[], failing: number): Statement {
  const good = all.filter(({ state }) => state === 'healthy').length;
  const waiting = all.length - good - failing;
  const rest = waiting === 0 ? '' : `, ${waiting} not run yet`;
  if (failing === 0) return say(good === 0 ? 'plain' : 'good', `${count(good, 'poll')}, none failed${rest}`);
  return say('plain', `${failing} of ${count(all.length, 'poll')} failed${rest}`);
}

/** Returns one statement for a collector that fails on several nodes for one reason, with the details of the first failure. */
function failureOf(group: readonly Doing[], wall: number): Statement {
  const [first] = group.toSorted((one, other) => begin(one) - begin(other));
  if (first === undefined || first.reason === '') throw new Error('a group has a member, and a failure a reason');
  const { collector, reason, message, privilege, intervalSeconds, everySeconds } = first;
  const nodes = group.map(({ node }) => node).filter((node) => node !== '');
  const where = nodes.length === 0 ? collector : `${collector} on ${list(nodes)}`;
  const never = group.every(({ lastSuccess }) => lastSuccess === null) ? ', it never worked' : '';
  const rarely =
    intervalSeconds !== null && intervalSeconds > everySeconds
      ? ` Tried every ${formatElapsed(intervalSeconds * 1000)}.`
      : '';
  const when = `since ${formatMoment(begin(first))}, for ${formatElapsed(wall - begin(first))}${never}`;
  return say(
    'bad',
    `${where} fails (${reason}) ${when}: ${sentence(short(message))}${rarely}`,
    hintFor(reason, collector, privilege),
  );
}

/** Shows each hint only once. */
function hintedOnce(statements: readonly Statement[]): readonly Statement[] {
  const given = new Set<string>();
  return statements.map(({ tone, text, hint = '' }) => {
    const known = given.has(hint);
    given.add(hint);
    return say(tone, text, known ? '' : hint);
  });
}

function begin({ since, lastPoll }: Doing): number {
  return Date.parse(since ?? lastPoll ?? '') || 0;
}

/** Describes collectors that poll less often than configured because requests are expensive, one statement for each collector. */
function stretched(all: readonly Doing[]): readonly Statement[] {
  const slow = all.filter(
    ({ state, everySeconds, intervalSeconds }) =>
      state === 'healthy' && everySeconds > 0 && (intervalSeconds ?? 0) > everySeconds,
  );
  return [...Map.groupBy(slow, ({ collector }) => collector)].map(([collector, group]) => {
    const nodes = list(group.map(({ node }) => node));
    const longest = Math.max(...group.map(({ intervalSeconds }) => intervalSeconds ?? 0));
    const configured = Math.min(...group.map(({ everySeconds }) => everySeconds));
    const often = `every ${formatElapsed(longest * 1000)} instead of every ${formatElapsed(configured * 1000)}`;
    return say('warning', `${collector} on ${nodes}: read ${often}, because answering costs the server too much`);
  });
}
