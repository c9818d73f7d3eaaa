import type { TransitionReport } from '../app/timeline.ts';
import { membersOf, type Page, readPage, textOf } from './members.ts';

/** Reads what a daemon, perhaps of another version, answered; undefined where that is no page of transitions. */
export function readReport(answer: unknown): Page<TransitionReport> | undefined {
  return readPage(answer, transitionOf);
}

function transitionOf(item: unknown): TransitionReport | undefined {
  const members = membersOf(item);
  const text = (name: keyof TransitionReport): string => textOf(members, name);
  const { lastedSeconds } = members;
  if (Number.isNaN(Date.parse(text('at'))) || text('service') === '') return undefined;
  return {
    at: text('at'),
    cluster: text('cluster'),
    service: text('service'),
    partition: text('partition'),
    replica: text('replica'),
    from: text('from'),
    to: text('to'),
    lastedSeconds: typeof lastedSeconds === 'number' ? lastedSeconds : null,
    process: text('process'),
    source: text('source'),
    eventId: text('eventId'),
    eventNs: text('eventNs'),
  };
}
