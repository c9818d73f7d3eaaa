import type { NodeReport } from '../../../api/clusters.ts';
import { formatElapsed } from '../../../kernel/duration.ts';
import type { Millis } from '../../../kernel/time.ts';
import { formatMoment } from '../../../kernel/timestamp.ts';
import { hintFor } from './hints.ts';
import { type Statement, say } from './statement.ts';
import { count, list, sentence, short } from './words.ts';

/** Time for which the page mentions that a node was down: a restart clears its memory. */
const recently: Millis = 86_400_000;

/** Returns «2 of 3 nodes up», and for each node that is down, the start time and the reason. */
export function nodesInWords(nodes: readonly NodeReport[], wall: number): readonly Statement[] {
  if (nodes.length === 0) {
    return [say('bad', 'No node is known', 'Nothing was found by `clusters[].discover` yet; the log says why.')];
  }
  const up = nodes.filter(({ state }) => state === 'up');
  const down = nodes.filter(({ state }) => state === 'down');
  const unknown = nodes.filter(({ state }) => state === 'unknown');
  return [
    headline(nodes.length, up, wall),
    ...[...Map.groupBy(down, ({ reason }) => reason).values()].map((group) => ofDown(group, wall)),
    ...returned(up, wall),
    ...(unknown.length === 0 ? [] : [say('plain', `Not asked yet: ${list(unknown.map(({ name }) => name))}`)]),
  ];
}

function headline(all: number, up: readonly NodeReport[], wall: number): Statement {
  if (up.length < all) return say('plain', `${up.length} of ${count(all, 'node')} up`);
  const shortest = Math.min(...up.map((node) => age(node, wall)));
  return say(
    'good',
    `${all === 1 ? 'The node is' : `All ${all} nodes are`} up, for at least ${formatElapsed(shortest)}`,
  );
}

/** Describes nodes that are down for the same reason in one statement, with the details of the node that failed first. */
function ofDown(group: readonly NodeReport[], wall: number): Statement {
  const [first] = group.toSorted((one, other) => age(other, wall) - age(one, wall));
  if (first === undefined || first.reason === '') return say('bad', 'A node is down');
  const { name, address, reason, message } = first;
  const names = group.length === 1 ? `${name} (${address}) is` : `${list(group.map((node) => node.name))} are`;
  const ever = group.some((node) => !node.sinceFirstPoll) ? '' : ', never seen up';
  const when = `since ${since(first)}, for ${formatElapsed(age(first, wall))}${ever}`;
  return say('bad', `${names} down (${reason}) ${when}: ${sentence(short(message))}`, hintFor(reason, 'health', ''));
}

function returned(up: readonly NodeReport[], wall: number): readonly Statement[] {
  const back = up.filter((node) => !node.sinceFirstPoll && age(node, wall) < recently);
  const [last] = back.toSorted((one, other) => age(one, wall) - age(other, wall));
  if (last === undefined) return [];
  const until = `until ${since(last)}, ${formatElapsed(age(last, wall))} ago`;
  const names = list(back.map(({ name }) => name));
  return [say('plain', back.length === 1 ? `${names} was away ${until}` : `${names} were away, the last one ${until}`)];
}

function since({ since: instant }: NodeReport): string {
  return instant === null ? 'we look' : formatMoment(Date.parse(instant));
}

function age({ since: instant }: NodeReport, wall: number): number {
  return instant === null ? 0 : wall - Date.parse(instant);
}
