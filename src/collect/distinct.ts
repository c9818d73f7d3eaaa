/** The rows whose key was not there before; where a key is empty there is nothing to compare, and the row stays. */
export function* distinct<Row>(rows: Iterable<Row>, identify: (row: Row) => string): Generator<Row> {
  const seen = new Set<string>();
  for (const row of rows) {
    const key = identify(row);
    if (key !== '' && seen.has(key)) continue;
    seen.add(key);
    yield row;
  }
}

/** Several words as one key. Words that hold a zero byte themselves could collide, which costs a row and no more. */
export function keyOf(...words: readonly string[]): string {
  return words.join('\0');
}
