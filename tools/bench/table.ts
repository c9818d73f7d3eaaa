/** Returns a table in Markdown; nothing without rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Returns milliseconds with two decimals below ten; nothing for a value that is not known. */
export function ms(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '';
  return value < 10 ? value.toFixed(2) : value.toFixed(0);
}

/** Returns `upper` as a multiple of `lower`; nothing if one is not known. */
export function ratio(upper: number | undefined, lower: number | undefined): string {
  return upper === undefined || lower === undefined ? '' : `${(upper / lower).toFixed(2)} ×`;
}
