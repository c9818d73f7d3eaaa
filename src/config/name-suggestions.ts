import type { KeyPath, UnlocatedProblem } from '../model/config-problem.ts';

/** Maximum number of candidates that a word is compared with; longer lists are probably generated. */
const maxCandidates = 200;

/** Returns the candidate that is most similar to `word`; undefined if none is similar. */
export function closestMatch(word: string, candidates: readonly string[]): string | undefined {
  const allowed = Math.max(1, Math.floor(word.length / 3));
  const ranked = candidates
    .slice(0, maxCandidates)
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter((rank) => rank.distance <= allowed)
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** Returns a finding whose hint is computed when it is shown: of thousands of findings, only the first ones are. */
export function withHint(finding: UnlocatedProblem, hint: () => string | undefined): UnlocatedProblem {
  return {
    ...finding,
    get hint() {
      return hint();
    },
  };
}

/** Number of edits (insert, delete, replace, swap of neighbors) between two words; infinite for long words. */
function editDistance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 8 || from.length > 64) return Number.POSITIVE_INFINITY;
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= to.length; column += 1) line.push(cellCost(rows, line, { from, to, row, column }));
    rows.push(line);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}

interface DistanceCell {
  readonly from: string;
  readonly to: string;
  readonly row: number;
  readonly column: number;
}

function cellCost(rows: readonly number[][], line: readonly number[], { from, to, row, column }: DistanceCell): number {
  const cost = from[row - 1] === to[column - 1] ? 0 : 1;
  const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
  const far = Number.POSITIVE_INFINITY;
  return Math.min(
    (rows[row - 1]?.[column] ?? far) + 1,
    (line[column - 1] ?? far) + 1,
    (rows[row - 1]?.[column - 1] ?? far) + cost,
    swapped ? (rows[row - 2]?.[column - 2] ?? far) + 1 : far,
  );
}

/** List of named entries to which other keys refer. */
export interface NamedList {
  /** Its key, such as `receivers`. */
  readonly key: string;
  readonly names: readonly string[];
  readonly known: ReadonlySet<string>;
  /** Message for an unknown name. */
  readonly message: string;
}

/**
 * Reports a name that a list does not contain. The hint refers to the similar entry by its position, because problems
 * never contain configured values.
 */
export function unknownNameFinding(
  path: KeyPath,
  named: string | undefined,
  list: NamedList,
): readonly UnlocatedProblem[] {
  const { key, names, known, message } = list;
  if (named === undefined || known.has(named)) return [];
  const hint = () => {
    const close = closestMatch(named, names);
    return close === undefined ? undefined : `did you mean the name of ${key}[${names.indexOf(close)}]?`;
  };
  return [withHint({ path, message }, hint)];
}

/** List of receivers. */
export function receiverList(names: readonly string[]): NamedList {
  return namedList('receivers', names, 'is not the name of a receiver in alerts.receivers');
}

/** List of clusters. */
export function clusterList(names: readonly string[]): NamedList {
  return namedList('clusters', names, 'is not the name of a cluster');
}

function namedList(key: string, names: readonly string[], message: string): NamedList {
  return { key, names, known: new Set(names), message };
}
