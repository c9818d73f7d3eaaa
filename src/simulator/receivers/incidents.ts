import type { ReceivedLetter, Told } from './letter.ts';

/**
 * What is open at a receiver after these letters, the oldest first: as the real one shows it. A trigger of an open
 * incident changes nothing, a resolve without one is swallowed, and what has an end that passed is over.
 */
export function openIncidents(letters: readonly ReceivedLetter[], receiver: string, now: number): readonly Told[] {
  const open = new Map<string, Told>();
  const told = letters
    .filter((letter) => letter.receiver === receiver && letter.taken)
    .flatMap((letter) => letter.told);
  for (const [index, one] of told.entries()) {
    if (one.action === 'message') continue;
    // Without a key each trigger opens an incident of its own, which nobody can close.
    const key = one.key === '' ? `\u0000${index}` : one.key;
    if (one.action === 'trigger') open.set(key, one);
    else open.delete(key);
  }
  return [...open.values()].filter(({ until }) => until === undefined || until > now);
}
