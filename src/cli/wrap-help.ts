/** Column at which the text of a list line begins: `  calm    Normal load`. */
const listLine = /^ +\S+(?: \S+)*? {2,}(?=\S)/;

/**
 * Wraps the text of a help page at `width` characters. A list line continues below its text, and the last line of a sentence
 * has more than one word if possible.
 */
export function wrapHelp(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, width))
    .join('\n');
}

function wrapLine(line: string, width: number): readonly string[] {
  const start = listLine.exec(line)?.[0] ?? '';
  const lines = fill(line.slice(start.length).split(' '), width - start.length);
  const [before, last] = lines.slice(-2);
  const word = before?.at(-1);
  if (last?.length === 1 && before !== undefined && word !== undefined && before.length > 2) {
    before.pop();
    last.unshift(word);
  }
  return lines.map((words, at) => `${at === 0 ? start : ' '.repeat(start.length)}${words.join(' ')}`);
}

/** Distributes words to lines of at most `width` characters. */
function fill(words: readonly string[], width: number): string[][] {
  const lines: string[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && [...line, word].join(' ').length <= width) line.push(word);
    else lines.push([word]);
  }
  return lines;
}
