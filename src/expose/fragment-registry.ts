import type { Fragment } from './fragment.ts';

/** Fragments of a source, by family name. */
export type Fragments = ReadonlyMap<string, Fragment>;

interface RankedFragment {
  readonly rank: number;
  readonly fragment: Fragment;
}

/** Fragments of one family, or of one family and base, by rank. Changes use a binary search, because a family may have many sources. */
class RankedFragments {
  readonly #entries: RankedFragment[] = [];

  get size(): number {
    return this.#entries.length;
  }

  set(entry: RankedFragment): void {
    const at = this.#find(entry.rank);
    this.#entries.splice(at, this.#entries[at]?.rank === entry.rank ? 1 : 0, entry);
  }

  delete(rank: number): void {
    const at = this.#find(rank);
    if (this.#entries[at]?.rank === rank) this.#entries.splice(at, 1);
  }

  /** Returns the fragments by rank. */
  list(): readonly Fragment[] {
    return this.#entries.map(({ fragment }) => fragment);
  }

  first(): Fragment | undefined {
    return this.#entries[0]?.fragment;
  }

  /** Returns the index of a rank, or the index at which it belongs. */
  #find(rank: number): number {
    let [from, to] = [0, this.#entries.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#entries[middle]?.rank ?? rank) < rank) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Fragments of one family: all, and those of each base, among which the same series may come twice. */
interface FamilyFragments {
  readonly all: RankedFragments;
  readonly byBase: Map<string, RankedFragments>;
  /** Number of series by cluster. */
  readonly series: Map<string, number>;
}

/** All fragments of the page by source and by family; the rank of a source is its order of registration. */
export class FragmentIndex {
  readonly #sources = new Map<string, { readonly rank: number; fragments: Fragments }>();
  readonly #families = new Map<string, FamilyFragments>();
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

  /** Replaces the fragments of a registered source; returns whether any differs. */
  replace(source: string, fragments: Fragments): boolean {
    const entry = this.#sources.get(source);
    if (entry === undefined) return false;
    const { rank, fragments: before } = entry;
    let isChanged = false;
    for (const [name, fragment] of before) {
      const next = fragments.get(name);
      if (next === fragment) continue;
      isChanged = true;
      if (next?.base !== fragment.base) this.#drop(name, { rank, fragment });
      else this.#count(fragment, -seriesCount(fragment));
    }
    for (const [name, fragment] of fragments) {
      if (before.get(name) === fragment) continue;
      isChanged = true;
      this.#set(name, { rank, fragment });
    }
    entry.fragments = fragments;
    return isChanged;
  }

  /** Removes `source` and its rank. */
  remove(source: string): void {
    this.replace(source, new Map());
    this.#sources.delete(source);
  }

  /** Returns the fragments of a family, by rank. */
  fragmentsOfFamily(name: string): readonly Fragment[] {
    return this.#families.get(name)?.all.list() ?? [];
  }

  /** Returns the fragments of a family that may have series of a fragment: those of its base and of the family's type. */
  siblings({ base, family: { name } }: Fragment): readonly Fragment[] {
    const same = this.#families.get(name)?.byBase.get(base)?.list() ?? [];
    return same.filter((one) => this.hasItsType(one));
  }

  /** Returns whether no other fragment can hide series of a fragment of the page. */
  isFullyShown(fragment: Fragment): boolean {
    const same = this.#families.get(fragment.family.name)?.byBase.get(fragment.base);
    return same?.size === 1 && this.hasItsType(fragment);
  }

  /** Returns whether a fragment has the type that its family has on the page. */
  hasItsType({ family: { name, type } }: Fragment): boolean {
    return this.#families.get(name)?.all.first()?.family.type === type;
  }

  /** Returns the number of series of a family of a cluster, over all sources. */
  seriesOfFamily(name: string, cluster: string): number {
    return this.#families.get(name)?.series.get(cluster) ?? 0;
  }

  /** Returns the names of all families, sorted. */
  familyNames(): readonly string[] {
    return [...this.#families.keys()].toSorted();
  }

  #set(name: string, entry: RankedFragment): void {
    const { base } = entry.fragment;
    const family = this.#families.get(name) ?? { all: new RankedFragments(), byBase: new Map(), series: new Map() };
    this.#families.set(name, family);
    family.all.set(entry);
    const same = family.byBase.get(base) ?? new RankedFragments();
    family.byBase.set(base, same);
    same.set(entry);
    this.#count(entry.fragment, seriesCount(entry.fragment));
  }

  #drop(name: string, { rank, fragment }: RankedFragment): void {
    const family = this.#families.get(name);
    if (family === undefined) return;
    family.all.delete(rank);
    const same = family.byBase.get(fragment.base);
    same?.delete(rank);
    if (same?.size === 0) family.byBase.delete(fragment.base);
    if (family.all.size === 0) this.#families.delete(name);
    this.#count(fragment, -seriesCount(fragment));
  }

  #count({ family: { name }, cluster }: Fragment, more: number): void {
    this.#series += more;
    const series = this.#families.get(name)?.series;
    series?.set(cluster, (series.get(cluster) ?? 0) + more);
  }
}

/** Returns the number of series of a fragment. */
export function seriesCount({ lines }: Fragment): number {
  return lines.keys.length;
}
