/** The candidate that `word` was probably meant to be, if one is near enough. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const allowed = Math.max(1, Math.floor(word.length / 3));
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter((rank) => rank.distance <= allowed)
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** Edits (insert, delete, replace, swap of neighbours) from one word to the other; long words count as far apart. */
function distance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 8 || from.length > 64) return Number.POSITIVE_INFINITY;
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= to.length; column += 1) line.push(cheapest(rows, line, { from, to, row, column }));
    rows.push(line);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}

interface Cell {
  readonly from: string;
  readonly to: string;
  readonly row: number;
  readonly column: number;
}

function cheapest(rows: readonly number[][], line: readonly number[], { from, to, row, column }: Cell): number {
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
