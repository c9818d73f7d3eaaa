import type { TransitionReport } from '../app/timeline.ts';

/** A page of transitions. */
export interface TransitionPage {
  readonly items: readonly TransitionReport[];
  readonly total: number;
}

/** Reads what a daemon, perhaps of another version, answered; undefined where that is no page of transitions. */
export function readReport(answer: unknown): TransitionPage | undefined {
  const { items, total } = membersOf(answer);
  if (!Array.isArray(items) || typeof total !== 'number' || !Number.isFinite(total)) return undefined;
  const read = items.map(transitionOf).filter((one) => one !== undefined);
  return read.length === items.length ? { items: read, total } : undefined;
}

function transitionOf(item: unknown): TransitionReport | undefined {
  const members = membersOf(item);
  const text = (name: keyof TransitionReport): string => {
    const value = members[name];
    return typeof value === 'string' ? value : '';
  };
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

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
