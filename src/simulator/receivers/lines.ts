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

function wordsOf({ summary, key, episode }: Told): string {
  const words = printable(summary === '' ? key : summary);
  const short = words.length > longest ? `${words.slice(0, longest)}…` : words;
  return episode === '' || summary.endsWith(`(${episode})`) ? short : `${short} (episode ${printable(episode)})`;
}

/** Nothing that is sent here shall move the cursor of a terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

function outcomeOf({ taken, status, answer }: ReceivedLetter): string {
  if (answer === 'lost') return `  → ${taken ? 'taken' : 'not taken'}, and no answer`;
  return taken && status < 300 ? '' : `  → ${status}${taken ? ', taken in part' : ''}`;
}
