import type { ReceivedLetter } from './letter.ts';

/**
 * Alertmanager is told of everything once a minute: a reader wants to see what changed. Gives a letter with what is
 * new in it, or undefined where nothing is; letters that were not taken are always news.
 */
export function newsOnly(): (letter: ReceivedLetter) => ReceivedLetter | undefined {
  const last = new Map<string, string>();
  return (letter) => {
    if (letter.kind !== 'alertmanager' || !letter.taken) return letter;
    const told = letter.told.filter(({ key, action, episode }) => {
      const place = JSON.stringify([letter.receiver, key]);
      const state = JSON.stringify([action, episode]);
      if (last.get(place) === state) return false;
      last.set(place, state);
      return true;
    });
    return told.length === 0 ? undefined : { ...letter, told };
  };
}
