import type { Evidence } from '../evidence.ts';
import { tellingsTo } from './tellings.ts';

/** The service instances of which a receiver believes that they are in trouble, once each, in the order of their names. */
export function openAt(receiver: string, { letters, lives }: Pick<Evidence, 'letters' | 'lives'>): readonly string[] {
  const open = new Map<string, string>();
  for (const { letter, action, incident, instance } of tellingsTo(receiver, letters, lives)) {
    if (!letter.taken) continue;
    if (action === 'trigger') open.set(incident, instance);
    else open.delete(incident);
  }
  return [...open.values()].toSorted();
}
