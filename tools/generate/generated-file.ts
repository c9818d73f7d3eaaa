/** File that is generated from the code. */
export interface GeneratedFile {
  /** Path relative to the root of the project. */
  readonly path: string;
  readonly text: string;
}

/** Returns a Markdown table. Line breaks and bars in cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cellText).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cellText(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}

/** Notice at the top of a generated document. */
export const generatedNotice = 'Printed from the code by `npm run generate`; change it there.';
