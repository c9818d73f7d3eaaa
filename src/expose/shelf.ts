import type { Fragment } from './fragment.ts';

/** What a source shows, by family name. */
export type Fragments = ReadonlyMap<string, Fragment>;

interface Place {
  readonly rank: number;
  readonly fragment: Fragment;
}

/** All fragments of the page, findable by source and by family; the rank of a source is the order of its coming. */
export class Shelf {
  readonly #sources = new Map<string, { readonly rank: number; fragments: Fragments }>();
  readonly #families = new Map<string, readonly Place[]>();
  #ranks = 0;
  #series = 0;

  /** Series of all fragments. */
  get series(): number {
    return this.#series;
  }

  /** Gives `source` its rank, if it is new. */
  open(source: string): void {
    if (this.#sources.has(source)) return;
    this.#sources.set(source, { rank: this.#ranks, fragments: new Map() });
    this.#ranks += 1;
  }

  /** What `source` shows; undefined for one that was removed or never opened. */
  of(source: string): Fragments | undefined {
    return this.#sources.get(source)?.fragments;
  }

  /** Replaces what an open source shows. */
  replace(source: string, fragments: Fragments): void {
    const entry = this.#sources.get(source);
    if (entry === undefined) return;
    for (const [name, fragment] of entry.fragments) this.#drop(name, fragment);
    for (const [name, fragment] of fragments) this.#add(name, { rank: entry.rank, fragment });
    entry.fragments = fragments;
  }

  /** Forgets `source` and its rank. */
  remove(source: string): void {
    this.replace(source, new Map());
    this.#sources.delete(source);
  }

  /** The fragments of a family, by rank. */
  family(name: string): readonly Fragment[] {
    return this.#families.get(name)?.map(({ fragment }) => fragment) ?? [];
  }

  /** The names of all families, sorted. */
  names(): readonly string[] {
    return [...this.#families.keys()].toSorted();
  }

  #add(name: string, place: Place): void {
    const places = [...(this.#families.get(name) ?? []), place];
    const ranked = places.toSorted((one, other) => one.rank - other.rank);
    this.#families.set(name, ranked);
    this.#series += seriesOf(place.fragment);
  }

  #drop(name: string, fragment: Fragment): void {
    const rest = this.#families.get(name)?.filter((place) => place.fragment !== fragment) ?? [];
    if (rest.length === 0) this.#families.delete(name);
    else this.#families.set(name, rest);
    this.#series -= seriesOf(fragment);
  }
}

/** Series of a fragment. */
export function seriesOf({ lines }: Fragment): number {
  return lines.keys.length;
}
