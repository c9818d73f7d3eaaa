import type { Rule } from '../alert/rule.ts';
import type { Board } from '../collect/board.ts';
import type { SpanSink } from '../model/span.ts';
import type { Notifier } from '../notify/notifier.ts';
import { AbortTraces } from './abort-traces.ts';
import { causesOf } from './alert-causes.ts';
import type { AppPorts } from './app.ts';
import { NoticeTraces } from './notice-traces.ts';

/** Traces of what we do beside reading, which lead back to the cycles that it follows from. */
export interface OwnTraces {
  readonly aborts: AbortTraces;
  readonly noticed: NoticeTraces['noticed'];
  readonly follow: (receiver: string, notifier: Notifier) => Notifier;
}

/** Begins to trace; undefined where nobody does. */
export function openOwnTraces(
  { spans, ...ports }: Pick<AppPorts, 'clock' | 'random' | 'digest'> & { readonly spans?: SpanSink },
  board: Board,
  rules: readonly Rule[],
): OwnTraces | undefined {
  if (spans === undefined) return undefined;
  const notices = new NoticeTraces({
    ...ports,
    spans,
    causes: (alert) => {
      const entries = board.entries(alert.labels.cluster_name ?? '');
      return causesOf(
        alert,
        rules.find(({ name }) => name === alert.rule),
        entries,
      );
    },
  });
  return {
    aborts: new AbortTraces({ ...ports, spans }),
    noticed: (notice) => notices.noticed(notice),
    follow: (receiver, notifier) => notices.follow(receiver, notifier),
  };
}
