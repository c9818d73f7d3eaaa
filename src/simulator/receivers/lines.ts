import type { ReceivedLetter, Told } from './letter.ts';

const longest = 160;

/** What a letter told and what was answered, a line for each incident in it. */
export function linesOf(letter: ReceivedLetter): readonly string[] {
  const time = new Date(letter.at).toISOString().slice(11, 19);
  const head = `${time}Z  ${letter.receiver.padEnd(6)}  `;
  const { told } = letter;
  if (told.length === 0) return [`${head}${letter.taken ? 'nothing' : 'unreadable'}${outcomeOf(letter)}`];
  return told.map((one) => `${head}${one.action.padEnd(7)}  ${wordsOf(one)}${outcomeOf(letter)}`);
}

/** Of a text of many lines the first says what it is about. */
function wordsOf({ summary, key, episode }: Told): string {
  const first = summary.split('\n', 1)[0] ?? '';
  const words = (first === '' ? key : first).replace(/\p{Cc}+/gu, ' ');
  const short = words.length > longest ? `${words.slice(0, longest)}…` : words;
  return episode === '' ? short : `${short} (episode ${episode.replace(/\p{Cc}+/gu, ' ')})`;
}

function outcomeOf({ taken, status, answer }: ReceivedLetter): string {
  if (answer === 'lost') return `  → ${taken ? 'taken' : 'not taken'}, and no answer`;
  return taken && status < 300 ? '' : `  → ${status}${taken ? ', taken in part' : ''}`;
}
