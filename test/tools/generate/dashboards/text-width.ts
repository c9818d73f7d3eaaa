/**
 * Widths of the characters of Inter, the font of Grafana, in thousandths of the font size, rounded up. Without a browser
 * the width of a text can only be estimated: characters that are not listed count as wide ones, and kerning is ignored.
 */
const widths: readonly (readonly [characters: string, width: number])[] = [
  [" .,:;'|!ijlI", 300],
  ['frt()[]/-"', 400],
  ['abcdeghknopqsuvxyzJLEFTZ', 620],
  ['0123456789ABCDGHKNOPQRSUVXY+=<>#', 720],
  ['mwMW%@', 950],
];

/** Returns the estimated width of a text in pixels. */
export function textWidth(text: string, fontSize: number): number {
  const thousandths = Array.from(text, (one) => widths.find(([characters]) => characters.includes(one))?.[1] ?? 950);
  return (thousandths.reduce((sum, width) => sum + width, 0) * fontSize) / 1000;
}

/** Returns the width of a panel of so many columns in pixels, on a screen that is 1920 pixels wide. */
export function panelWidth(columns: number): number {
  const page = 1920 - 2 * 16;
  const gap = 8;
  return columns * ((page + gap) / 24) - gap;
}
