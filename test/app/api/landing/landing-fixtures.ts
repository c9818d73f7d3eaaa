import type { Latest, Statement } from '../../../../src/app/api/landing/statement.ts';
import type { Collector } from '../../../../src/collect/collector.ts';

/** When everything was read. */
export const wall = Date.UTC(2026, 8, 22, 4, 53, 20);

/** Samples that `collector` returns for `facts`, by node (`''` for the whole cluster). */
export function latest(
  collector: Collector,
  facts: Readonly<Record<string, unknown>>,
  more: Partial<Latest> = {},
): Latest {
  const reported = Object.entries(facts).map(([node, fact]) => ({
    node,
    at: wall,
    samples: [...collector.samples(fact, { wall, mono: 0 })],
  }));
  return { collector: collector.name, reported, silent: [], waiting: false, ...more };
}

/** Statements as lines that are easy to compare: `bad: m1 is down`. */
export function lines(statements: readonly Statement[]): readonly string[] {
  return statements.map(({ tone, text }) => `${tone}: ${text}`);
}
