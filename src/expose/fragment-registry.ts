import type { Fragment } from './fragment.ts';

/** Fragments of a source, by family name. */
export type Fragments = ReadonlyMap<string, Fragment>;

interface RankedFragment {
  readonly rank: number;
  readonly fragment: Fragment;
}

/** All fragments of the page by source and by family; the rank of a source is its order of registration. */
export class FragmentIndex {
  readonly #sources = new Map<string, { readonly rank: number; fragments: Fragments }>();
  readonly #families = new Map<string, readonly RankedFragment[]>();
  readonly #familySeries = new Map<string, number>();
  #ranks = 0;
  #series = 0;

  /** Number of series of all fragments. */
  get series(): number {
    return this.#series;
  }

  /** Registers `source` and assigns its rank, if it is new. */
  register(source: string): void {
    if (this.#sources.has(source)) return;
    this.#sources.set(source, { rank: this.#ranks, fragments: new Map() });
    this.#ranks += 1;
  }

  /** Returns the fragments of `source`; undefined if it is removed or not registered. */
  fragmentsOf(source: string): Fragments | undefined {
    return this.#sources.get(source)?.fragments;
  }

  /** Replaces the fragments of a registered source. */
  replace(source: string, fragments: Fragments): void {
    const entry = this.#sources.get(source);
    if (entry === undefined) return;
    for (const [name, fragment] of entry.fragments) if (!fragments.has(name)) this.#drop(name, fragment);
    for (const [name, fragment] of fragments) {
      const known = entry.fragments.get(name);
      if (known === undefined) this.#add(name, { rank: entry.rank, fragment });
      else this.#exchange(name, known, { rank: entry.rank, fragment });
    }
    entry.fragments = fragments;
  }

  /** Removes `source` and its rank. */
  remove(source: string): void {
    this.replace(source, new Map());
    this.#sources.delete(source);
  }

  /** Returns the fragments of a family, by rank. */
  fragmentsOfFamily(name: string): readonly Fragment[] {
    return this.#families.get(name)?.map(({ fragment }) => fragment) ?? [];
  }

  /** Returns the number of series of a family, over all sources. */
  seriesOfFamily(name: string): number {
    return this.#familySeries.get(name) ?? 0;
  }

  /** Returns the names of all families, sorted. */
  familyNames(): readonly string[] {
    return [...this.#families.keys()].toSorted();
  }

  #add(name: string, place: RankedFragment): void {
    const places = [...(this.#families.get(name) ?? []), place];
    const ranked = places.toSorted((one, other) => one.rank - other.rank);
    this.#families.set(name, ranked);
    this.#count(name, seriesCount(place.fragment));
  }

  #drop(name: string, fragment: Fragment): void {
    const rest = this.#families.get(name)?.filter((place) => place.fragment !== fragment) ?? [];
    if (rest.length === 0) this.#families.delete(name);
    else this.#families.set(name, rest);
    this.#count(name, -seriesCount(fragment));
  }

  /** Replaces a fragment at its place: most polls return the families of the poll before. */
  #exchange(name: string, known: Fragment, place: RankedFragment): void {
    const places = this.#families.get(name) ?? [];
    this.#families.set(
      name,
      places.map((one) => (one.fragment === known ? place : one)),
    );
    this.#count(name, seriesCount(place.fragment) - seriesCount(known));
  }

  #count(name: string, series: number): void {
    this.#series += series;
    const all = this.seriesOfFamily(name) + series;
    if (all === 0) this.#familySeries.delete(name);
    else this.#familySeries.set(name, all);
  }
}

/** Returns the number of series of a fragment. */
export function seriesCount({ lines }: Fragment): number {
  return lines.keys.length;
}
