import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectors } from '../../src/collect/all.ts';
import type { Collector } from '../../src/collect/collector.ts';
import { formatDuration } from '../../src/kernel/duration.ts';
import { type GeneratedFile, table } from './generated-file.ts';

const path = 'README.md';
const file = join(import.meta.dirname, '..', '..', path);

/** The table of collectors in the README, below its notice. */
const generated = /(?<=<!-- [^>]*npm run generate[^>]* -->\n\n)(?:\|.*\n)+/;

/** Returns the README with its table of collectors. */
export function readme(): GeneratedFile {
  return { path, text: readFileSync(file, 'utf8').replace(generated, () => `${collectorTable(collectors)}\n`) };
}

/** Returns a table of collectors with their default intervals and the first sentences of their descriptions. */
export function collectorTable(units: readonly Pick<Collector, 'name' | 'about' | 'defaults' | 'taskRuns'>[]): string {
  const rows = units.map(({ name, about, defaults, taskRuns }) => {
    const [sentence = ''] = about.split(/(?<=\.) /);
    return [`\`${name}\``, intervalOf(defaults), taskRuns === undefined ? sentence : `${sentence} Changes the server.`];
  });
  return table(['collector', 'interval', 'what it collects'], rows);
}

function intervalOf({ enabled, interval, schedule }: Collector['defaults']): string {
  const text = schedule === undefined ? formatDuration(interval) : 'by cron';
  return enabled ? text : `${text}, off by default`;
}
