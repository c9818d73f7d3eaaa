/** Yields the rows whose key is new; rows with an empty key are always yielded. */
export function* distinctBy<Row>(rows: Iterable<Row>, identify: (row: Row) => string): Generator<Row> {
  const seen = new Set<string>();
  for (const row of rows) {
    const key = identify(row);
    if (key !== '' && seen.has(key)) continue;
    seen.add(key);
    yield row;
  }
}

/** Joins several words into one key. Words that contain a zero byte could collide, which costs one row. */
export function compositeKey(...words: readonly string[]): string {
  return words.join('\0');
}

/** Returns the value of a key, created on first use, with one lookup per row. */
export function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
