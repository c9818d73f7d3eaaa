/** One file that is printed from the code. */
export interface GeneratedFile {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
}

/** A Markdown table; line breaks and bars in cells are made harmless. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cellText).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cellText(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}

/** Says at the head of a generated document where it comes from. */
export const generatedNotice = 'Printed from the code by `npm run generate`; change it there.';
