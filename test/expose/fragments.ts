import { Buffer } from 'node:buffer';
import type { Fragment, RowKey } from '../../src/expose/fragment.ts';
import { type LineRows, renderLines } from '../../src/expose/lines.ts';
import { startTimeSlices, type TimeSlices } from '../../src/kernel/time-slices.ts';
import { type FamilyType, type SampleValues, sampleValues, valueTextAt } from '../../src/model/exposition.ts';
import { FakeClock } from '../support/clock.ts';

/** Slices that never end. */
export function endless(): TimeSlices {
  return startTimeSlices(new FakeClock());
}

/** Slices that end at every check, with the number of pauses. */
export function restless(): TimeSlices & { readonly rests: () => number } {
  let rests = 0;
  return {
    shouldYield: () => true,
    nextSlice: () => {
      rests += 1;
      return Promise.resolve();
    },
    rests: () => rests,
  };
}

/** Rows whose keys are label sets with one label `x`. */
export function rowsOf(name: string, rows: readonly (readonly [x: string, value: string])[]): LineRows<RowKey> {
  return {
    keys: rows.map(([x]) => ({ x })),
    values: sampleValues(rows.map(([, value]) => value)),
    same: (one, other) => 'x' in one && 'x' in other && one.x === other.x,
    prefix: (key) => `${name}{x="${'x' in key ? key.x : ''}"} `,
  };
}

/** A rendered fragment of such rows. */
export async function fragmentOf(
  name: string,
  rows: readonly (readonly [x: string, value: string])[],
  more: { readonly type?: FamilyType; readonly base?: string } = {},
): Promise<Fragment> {
  const lines = await renderLines(rowsOf(name, rows), undefined, endless());
  return { family: { name, type: more.type ?? 'gauge', help: '' }, cluster: 'c', base: more.base ?? '', lines };
}

/** Bytes as text. */
export function textIn(...parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString();
}

/** Returns the number texts of samples. */
export function textsOf(values: SampleValues | undefined): readonly string[] {
  return values === undefined ? [] : Array.from({ length: values.length }, (_, at) => valueTextAt(values, at));
}
