import { seededRandom } from '../../src/simulator/seeded-random.ts';
import { children, isNode, type Node, parseSource, type Source } from '../../test/architecture/project.ts';
import type { Mutation } from './mutation.ts';
import { mutationsAt } from './operators.ts';

/** Returns a random sample in the original order. The same seed gives the same sample. */
export function sampleMutants<Item>(all: readonly Item[], count: number, seed: number): readonly Item[] {
  const random = seededRandom(seed);
  const drawn = new Set(
    all
      .map((item) => ({ item, draw: random.next() }))
      .toSorted((one, other) => one.draw - other.draw)
      .slice(0, count)
      .map(({ item }) => item),
  );
  return all.filter((item) => drawn.has(item));
}

/** A source with one mutation. */
export interface Mutant extends Mutation {
  /** Path such as `src/guard/candidate.ts`. */
  readonly file: string;
  readonly line: number;
  /** Original text. */
  readonly original: string;
  /** Trimmed line of the mutation. */
  readonly within: string;
}

/** Returns all mutants of a file, in the order of the text. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const source = parseSource(file, text);
  const textOf = ({ start, end }: Pick<Node, 'start' | 'end'>) => text.slice(start, end);
  const keys = new Set<string>();
  return [...executedNodes(source.program)]
    .flatMap((node) => mutationsAt(node, textOf))
    .filter(({ start, end, by }) => {
      const key = `${start} ${end} ${by}`;
      return !keys.has(key) && keys.add(key);
    })
    .map((change) => ({ ...change, file, ...positionOf(source, change), original: textOf(change) }))
    .toSorted((one, other) => one.start - other.start || one.end - other.end);
}

/** Returns the text of the file with the mutation. */
export function applyMutant(text: string, { start, end, by }: Pick<Mutation, 'start' | 'end' | 'by'>): string {
  return text.slice(0, start) + by + text.slice(end);
}

/** Returns nodes that are executed. Types are not, and the compiler checks them. */
function* executedNodes(node: Node): Generator<Node> {
  if (node.type.startsWith('TS') && !isNode(node.expression)) return;
  if (node.type === 'ImportDeclaration') return;
  yield node;
  for (const [, child] of children(node)) yield* executedNodes(child);
}

function positionOf(source: Source, { start }: Mutation): Pick<Mutant, 'line' | 'within'> {
  const line = source.lineAt(start);
  return { line, within: (source.text.split('\n')[line - 1] ?? '').trim() };
}
