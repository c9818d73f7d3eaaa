import type { ReceivedLetter, Told } from './letter.ts';

/**
 * What a reader wants to see of letters. Alertmanager is told of everything once a minute: only what changed is news,
 * and undefined where nothing did. A resolve at PagerDuty has but a key: it gets the words of its trigger.
 */
export function newsOnly(): (letter: ReceivedLetter) => ReceivedLetter | undefined {
  const last = new Map<string, Told>();

  function isNews({ receiver, kind }: ReceivedLetter, told: Told): boolean {
    const place = placeOf(receiver, told);
    const before = last.get(place);
    if (told.action === 'trigger' || kind === 'alertmanager') last.set(place, told);
    else last.delete(place);
    return kind !== 'alertmanager' || before?.action !== told.action || before.episode !== told.episode;
  }

  return (letter) => {
    const worded = letter.told.map((told): Told => {
      const summary = told.summary === '' ? last.get(placeOf(letter.receiver, told))?.summary : undefined;
      return summary === undefined ? told : { ...told, summary };
    });
    if (!letter.taken) return { ...letter, told: worded };
    const told = worded.filter((one) => isNews(letter, one));
    return told.length === 0 && worded.length > 0 ? undefined : { ...letter, told };
  };
}

function placeOf(receiver: string, { key }: Told): string {
  return JSON.stringify([receiver, key]);
}
