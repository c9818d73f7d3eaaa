/** Rows as columns that stand below each other, without blanks at the ends of lines. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return `${rows.map(line).join('\n')}\n`;
}

/** What a server says may hold anything; a terminal shall see none of it but the text. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
