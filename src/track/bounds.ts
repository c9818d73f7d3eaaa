import type { ServiceState } from '../model/service.ts';

/** Replicas of one cluster that are tracked: more than any cluster has, and no more than we can bear. */
export const mostReplicas = 5000;

/** Longer words are no names and no statuses, and what is stored verbatim is stored for long. */
const longestWord = 256;

/** What of an answer can be tracked: without instances that have no proper name, and with other words cut short. */
export function bounded(states: readonly ServiceState[]): readonly ServiceState[] {
  return states.filter(isNamed).map((state) => (isShort(state) ? state : shortened(state)));
}

function isNamed({ service, partition, replica }: ServiceState): boolean {
  return [service, partition, replica].every((word) => word.length <= longestWord);
}

function isShort({ status, process, eventId }: ServiceState): boolean {
  return status.length <= longestWord && process.length <= longestWord && eventId.length <= longestWord;
}

function shortened(state: ServiceState): ServiceState {
  const cut = (word: string): string => word.slice(0, longestWord);
  return { ...state, status: cut(state.status), process: cut(state.process), eventId: cut(state.eventId) };
}
