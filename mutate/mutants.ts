import { children, isNode, type Node, parseSource, type Source } from '../test/architecture/project.ts';
import type { Change } from './change.ts';
import { changesAt } from './operators.ts';

/** A source with one slip in it. */
export interface Mutant extends Change {
  /** As `src/guard/age.ts`. */
  readonly file: string;
  readonly line: number;
  /** What stood there. */
  readonly was: string;
  /** The whole line, without the blanks around it. */
  readonly within: string;
}

/** All slips that are tried in one file, in the order of the text. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const source = parseSource(file, text);
  const textOf = ({ start, end }: Pick<Node, 'start' | 'end'>) => text.slice(start, end);
  const seen = new Set<string>();
  return [...running(source.program)]
    .flatMap((node) => changesAt(node, textOf))
    .filter(({ start, end, by }) => {
      const key = `${start} ${end} ${by}`;
      return !seen.has(key) && seen.add(key);
    })
    .map((change) => ({ ...change, file, ...placeOf(source, change), was: textOf(change) }))
    .toSorted((one, other) => one.start - other.start || one.end - other.end);
}

/** The text of the whole file with the slip. */
export function mutated(text: string, { start, end, by }: Pick<Change, 'start' | 'end' | 'by'>): string {
  return text.slice(0, start) + by + text.slice(end);
}

/** Types are no part of what runs: a slip there is the compiler's business. */
function* running(node: Node): Generator<Node> {
  if (node.type.startsWith('TS') && !isNode(node.expression)) return;
  if (node.type === 'ImportDeclaration') return;
  yield node;
  for (const [, child] of children(node)) yield* running(child);
}

function placeOf(source: Source, { start }: Change): Pick<Mutant, 'line' | 'within'> {
  const line = source.lineAt(start);
  return { line, within: (source.text.split('\n')[line - 1] ?? '').trim() };
}
