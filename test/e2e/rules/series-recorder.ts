import { readExposition } from '../../support/exposition.ts';

/**
 * Values of the recorded families, by series and scrape. The strict parser reads the first and the last page as a
 * whole, and in between every series that was not on a page before; the values of known series are read directly,
 * because a run of some minutes has hundreds of pages with thousands of series.
 */
export class SeriesRecorder {
  readonly series = new Map<string, (number | undefined)[]>();
  /** Series by everything that precedes the value of its line; undefined where the family is not recorded. */
  readonly #known = new Map<string, string | undefined>();
  readonly #families: ReadonlySet<string>;
  readonly #scrapes: number;

  constructor(families: ReadonlySet<string>, scrapes: number) {
    this.#families = families;
    this.#scrapes = scrapes;
  }

  add(scrape: number, page: string): void {
    if (scrape === 0 || scrape === this.#scrapes - 1) readExposition(page, 'text');
    for (const line of page.split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      const end = line.lastIndexOf(' ');
      const series = this.#seriesOf(line.slice(0, end));
      if (series === undefined) continue;
      const values = this.series.get(series) ?? Array.from<undefined>({ length: this.#scrapes });
      values[scrape] = numberOf(line.slice(end + 1));
      this.series.set(series, values);
    }
  }

  #seriesOf(head: string): string | undefined {
    if (this.#known.has(head)) return this.#known.get(head);
    const series = this.#read(head);
    this.#known.set(head, series);
    return series;
  }

  #read(head: string): string | undefined {
    const [sample] = [...readExposition(`${head} 0\n`, 'text').values()].flatMap(({ samples }) => samples);
    if (sample === undefined || sample.timestamp !== undefined) throw new Error(`'${head}' is not a series`);
    const { name, labels } = sample;
    if (!this.#families.has(name) || name.startsWith('graphwarden_config_')) return undefined;
    // Prometheus treats an empty label as a missing one.
    const given = Object.entries(labels).filter(([, text]) => text !== '');
    return `${name}{${given.map(([label, text]) => `${label}=${JSON.stringify(text)}`).join(',')}}`;
  }
}

function numberOf(text: string): number {
  const value = Number(text.replace('Inf', 'Infinity'));
  if (Number.isNaN(value) && text !== 'NaN') throw new Error(`'${text}' is not a number`);
  return value;
}
