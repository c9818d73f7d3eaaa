import { expect } from 'vitest';
import { createTextParser } from '../../src/graphdb/exposition-parser.ts';
import type { ParsedFamily, ParsedPage } from '../../src/model/exposition.ts';
import { valueTextAt } from '../../src/model/exposition.ts';
import { FakeClock } from '../support/clock.ts';

/** Parses one page with a parser of its own; fails the test where that is an error. */
export async function parsed(page: string, parser = createTextParser(new FakeClock())): Promise<ParsedPage> {
  const result = await parser.parse(new TextEncoder().encode(page));
  if (!result.ok) expect.fail(result.error);
  return result.value;
}

/** A family as plain lines: `name pairs value`, for comparing. */
export function linesOf({ series, values }: ParsedFamily): readonly string[] {
  return series.map(({ name, pairs }, at) => [name, ...pairs, valueTextAt(values, at)].join(' '));
}

/** All samples of a page as plain lines. */
export function samplesOf(page: ParsedPage): readonly string[] {
  return page.families.flatMap(linesOf);
}
