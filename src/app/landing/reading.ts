import type { CollectorReport, NodeReport } from '../report.ts';
import { hintFor } from './hints.ts';
import { type Statement, say } from './statement.ts';
import { count, list, moment, sentence, short, span } from './words.ts';

/** How one collector is doing in one place, with what was wished of it. */
export interface Doing extends CollectorReport {
  /** As configured; 0 for what runs by calendar. */
  readonly everySeconds: number;
  /** What it needs on the server; `''` where nothing. */
  readonly privilege: string;
}

/** What is read, what fails and why, and what is read less often; the nodes that are down explain what fails with them. */
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
  const good = all.filter(({ state }) => state === 'good').length;
  const waiting = all.length - good - failing;
  const rest = waiting === 0 ? '' : `, ${waiting} not made yet`;
  if (failing === 0) return say(good === 0 ? 'plain' : 'good', `${count(good, 'reading')}, none fails${rest}`);
  return say('plain', `${failing} of ${count(all.length, 'reading')} failed${rest}`);
}

/** One statement for a collector that fails for the same reason in several places, by the place where it began. */
function failureOf(group: readonly Doing[], wall: number): Statement {
  const [first] = group.toSorted((one, other) => begin(one) - begin(other));
  if (first === undefined || first.reason === '') throw new Error('a group has a member, and a failure a reason');
  const { collector, reason, message, privilege, intervalSeconds, everySeconds } = first;
  const nodes = group.map(({ node }) => node).filter((node) => node !== '');
  const where = nodes.length === 0 ? collector : `${collector} on ${list(nodes)}`;
  const never = group.every(({ lastSuccess }) => lastSuccess === null) ? ', it never worked' : '';
  const rarely =
    intervalSeconds !== null && intervalSeconds > everySeconds ? ` Tried every ${span(intervalSeconds * 1000)}.` : '';
  const when = `since ${moment(begin(first))}, for ${span(wall - begin(first))}${never}`;
  return say(
    'bad',
    `${where} fails (${reason}) ${when}: ${sentence(short(message))}${rarely}`,
    hintFor(reason, collector, privilege),
  );
}

/** What helps against one failure helps against all that are like it. */
function hintedOnce(statements: readonly Statement[]): readonly Statement[] {
  const given = new Set<string>();
  return statements.map(({ tone, text, hint = '' }) => {
    const known = given.has(hint);
    given.add(hint);
    return say(tone, text, known ? '' : hint);
  });
}

function begin({ since, lastReading }: Doing): number {
  return Date.parse(since ?? lastReading ?? '') || 0;
}

/** Only listing costs a server so much that we ask less often; by collector, since one storm slows all nodes. */
function stretched(all: readonly Doing[]): readonly Statement[] {
  const slow = all.filter(
    ({ state, everySeconds, intervalSeconds }) =>
      state === 'good' && everySeconds > 0 && (intervalSeconds ?? 0) > everySeconds,
  );
  return [...Map.groupBy(slow, ({ collector }) => collector)].map(([collector, group]) => {
    const nodes = list(group.map(({ node }) => node));
    const longest = Math.max(...group.map(({ intervalSeconds }) => intervalSeconds ?? 0));
    const wished = Math.min(...group.map(({ everySeconds }) => everySeconds));
    const often = `every ${span(longest * 1000)} instead of every ${span(wished * 1000)}`;
    return say('warning', `${collector} on ${nodes}: read ${often}, because answering costs the server too much`);
  });
}
