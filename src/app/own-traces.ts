import type { Rule } from '../alert/rule.ts';
import type { Board } from '../collect/board.ts';
import type { SpanPlace, SpanSink } from '../model/span.ts';
import type { Notifier } from '../notify/notifier.ts';
import { AbortTraces } from './abort-traces.ts';
import { causesOf } from './alert-causes.ts';
import type { AppPorts } from './app.ts';
import { NoticeTraces } from './notice-traces.ts';

/** Whether something links to a cycle, which is then to be kept. Where it does so only soon, `late` is called then. */
export type LinkQuestion = (cycle: SpanPlace, late: () => void) => boolean;

/** Traces of what we do beside reading, which lead back to the cycles that it follows from. */
export interface OwnTraces {
  readonly aborts: AbortTraces;
  readonly noticed: NoticeTraces['noticed'];
  readonly follow: (receiver: string, notifier: Notifier) => Notifier;
  readonly isLinked: LinkQuestion;
}

/** Those that matter are still under way: the oldest can be forgotten. */
const mostLinked = 1000;

/** An abort begins when it is stored, which may be after the cycle that saw the query is over. */
const mostWaiting = 100;

/** Begins to trace; undefined where nobody does. */
export function openOwnTraces(
  { spans, ...ports }: Pick<AppPorts, 'clock' | 'random' | 'digest'> & { readonly spans?: SpanSink },
  board: Board,
  rules: readonly Rule[],
): OwnTraces | undefined {
  if (spans === undefined) return undefined;
  const linked = new Set<string>();
  const waiting = new Map<string, () => void>();
  const link = ({ traceId }: SpanPlace): void => {
    linked.add(traceId);
    const [oldest = ''] = linked;
    if (linked.size > mostLinked) linked.delete(oldest);
    waiting.get(traceId)?.();
    waiting.delete(traceId);
  };
  const notices = new NoticeTraces({
    ...ports,
    spans,
    causes: (alert) => {
      const entries = board.entries(alert.labels.cluster_name ?? '');
      const rule = rules.find(({ name }) => name === alert.rule);
      const causes = causesOf(alert, rule, entries);
      for (const cause of causes) link(cause);
      return causes;
    },
  });
  return {
    aborts: new AbortTraces({ ...ports, spans, linked: link }),
    noticed: (notice) => notices.noticed(notice),
    follow: (receiver, notifier) => notices.follow(receiver, notifier),
    isLinked: ({ traceId }, late) => {
      waiting.set(traceId, late);
      const [oldest = ''] = waiting.size > mostWaiting ? waiting.keys() : [];
      waiting.delete(oldest);
      return linked.has(traceId);
    },
  };
}
