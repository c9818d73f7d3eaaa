import { closestMatch } from '../../config/name-suggestions.ts';

/** Values that a filter of a list can have. */
interface KnownFilter {
  readonly values: () => readonly string[];
  /** Whether other values may exist: then a value is refused only if it looks like a mistyped one. */
  readonly isOpen?: true;
}

/** Values that the filters of a list can have, by parameter. A filter that is not here is not checked. */
export type KnownValues = Readonly<Partial<Record<string, KnownFilter>>>;

const maxListed = 20;
const maxShownLength = 100;

/**
 * Returns the sentence for the first filter of an empty list whose value is not known, with the known values; undefined
 * if there is none. A list that is empty because of a mistyped name would look like a cluster without problems.
 */
export function unknownValue(query: URLSearchParams, known: KnownValues): string | undefined {
  for (const [name, value] of query) {
    const { values = () => [], isOpen = false } = known[name] ?? {};
    const all = [...new Set(values())].filter((one) => one !== '').toSorted();
    // Before the first poll, no value is known.
    if (value === '' || all.length === 0 || all.includes(value)) continue;
    const hint = suggestion(value, all);
    if (isOpen && hint === '') continue;
    const listed = all.length > maxListed ? [...all.slice(0, maxListed), `${all.length - maxListed} more`] : all;
    const noun = name === 'name' ? 'cluster' : name;
    return `There is no ${noun} '${value.slice(0, maxShownLength)}'.${hint} Known: ${listed.join(', ')}.`;
  }
  return undefined;
}

/** Returns the question whether a similar known name is meant, with a leading blank; empty if none is similar. */
export function suggestion(name: string, known: readonly string[]): string {
  const close = closestMatch(name, known);
  return close === undefined ? '' : ` Did you mean '${close}'?`;
}
