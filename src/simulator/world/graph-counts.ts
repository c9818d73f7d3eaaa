import { extraTypeName } from './schema.ts';

/** Vertices or edges of one type at a time. */
interface TypeGrowth {
  readonly type: string;
  /** Number when the world begins. */
  readonly base: number;
  readonly perSecond: number;
}

/** Numbers by type. */
export interface GraphCounts {
  readonly vertices: Readonly<Record<string, number>>;
  readonly edges: Readonly<Record<string, number>>;
}

const vertexTypes: readonly TypeGrowth[] = [
  { type: 'Account', base: 1_204_000, perSecond: 0.6 },
  { type: 'Person', base: 880_500, perSecond: 0.2 },
];

const edgeTypes: readonly TypeGrowth[] = [
  { type: 'knows', base: 3_410_000, perSecond: 1.1 },
  { type: 'owns', base: 1_190_000, perSecond: 0.6 },
  { type: 'transfers', base: 9_870_000, perSecond: 14 },
];

/** Returns the numbers of each graph `age` ms after the world began; all are 0 if the store was cleared. */
export function graphCounts(age: number, isCleared: boolean, extraTypes = 0): GraphCounts {
  const countsOf = (types: readonly TypeGrowth[]): Readonly<Record<string, number>> =>
    Object.fromEntries(
      types.map(({ type, base, perSecond }) => [type, isCleared ? 0 : base + Math.floor((age / 1000) * perSecond)]),
    );
  const extra = Array.from({ length: extraTypes }, (_, at) => ({ type: extraTypeName(at), base: at, perSecond: 0 }));
  return { vertices: countsOf([...vertexTypes, ...extra]), edges: countsOf(edgeTypes) };
}
