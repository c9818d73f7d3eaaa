import type { Rule } from '../alert/rule.ts';
import type { Entry } from '../collect/board.ts';
import type { Alert } from '../model/alert.ts';
import type { SpanPlace } from '../model/span.ts';

/** More are of no use to whoever looks. */
const mostCauses = 8;

/**
 * The cycles whose readings an alert goes back to, the newest first: of the collectors that its rule needs or that it
 * names, on its node where it has one. A rule that names no collector goes by what failed there.
 */
export function causesOf(
  { labels }: Pick<Alert, 'labels'>,
  rule: Rule | undefined,
  entries: readonly Entry[],
): readonly SpanPlace[] {
  const { node = '', collector = '' } = labels;
  const needs = [...(rule?.scope === 'cluster' ? rule.needs : []), ...(collector === '' ? [] : [collector])];
  const isCause = ({ reading, ...place }: Entry): boolean => {
    if (node !== '' && place.node !== '' && place.node !== node) return false;
    return needs.length > 0 ? needs.includes(place.collector) : node !== '' && !reading.result.ok;
  };
  return entries
    .filter(isCause)
    .toSorted((one, other) => other.reading.ended.mono - one.reading.ended.mono)
    .flatMap(({ reading }) => reading.cycle ?? [])
    .slice(0, mostCauses);
}
