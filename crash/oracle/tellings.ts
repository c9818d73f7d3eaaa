import type { Told } from '../../src/simulator/receivers/letter.ts';
import { type Letter, type Life, lifeAt } from '../evidence.ts';

/** What a letter says of one incident, in terms that are the same for every kind of receiver. */
export interface Telling {
  readonly letter: Letter;
  readonly life: number;
  readonly action: 'trigger' | 'resolve' | 'folded';
  /** The place where incidents happen, as this receiver calls it. */
  readonly key: string;
  readonly episode: number;
  /** The incident: key and episode. Receivers but Alertmanager agree about it. */
  readonly incident: string;
  /** The service instance; `''` where the letter does not say it. */
  readonly instance: string;
}

/** All that was told to one receiver, taken or not, in order. Reminders and headings tell of no incident. */
export function tellingsTo(receiver: string, letters: readonly Letter[], lives: readonly Life[]): readonly Telling[] {
  return letters
    .filter((letter) => letter.receiver === receiver)
    .flatMap((letter) =>
      letter.told.flatMap((told) => {
        const read = letter.kind === 'slack' ? lineOf(told) : incidentOf(letter, told);
        return read === undefined ? [] : [{ ...read, letter, life: lifeAt(lives, letter.at) }];
      }),
    );
}

type Read = Omit<Telling, 'letter' | 'life'>;

/** Slack has but lines: how each begins says what it is, and the id of the incident stands at its end. */
function lineOf({ summary, episode }: Told): Read | undefined {
  const action = [...beginnings].find(([begin]) => summary.startsWith(begin))?.[1];
  return action === undefined || episode === '' ? undefined : { action, ...named(episode), instance: inText(summary) };
}

const beginnings: ReadonlyMap<string, Telling['action']> = new Map([
  ['FIRING ', 'trigger'],
  ['RESOLVED ', 'resolve'],
  ['• ', 'folded'],
]);

function incidentOf({ kind }: Letter, { action, key, episode, summary }: Told): Read | undefined {
  if (action === 'message') return undefined;
  const instance = inText(summary);
  if (kind === 'alertmanager') {
    return { action, key, episode: Number(episode), incident: `${key} ${episode}`, instance };
  }
  return { action, ...named(kind === 'pagerduty' ? key : `${key}-${episode}`), instance };
}

/** `KEY-EPISODE`; people see no more than the first twelve signs of the key. */
function named(id: string): Pick<Read, 'key' | 'episode' | 'incident'> {
  const end = id.lastIndexOf('-');
  const key = id.slice(0, end).slice(0, 12);
  return { key, episode: Number(id.slice(end + 1)), incident: `${key}-${id.slice(end + 1)}` };
}

function inText(summary: string): string {
  return /(\S+) of c is /.exec(summary)?.[1] ?? '';
}
