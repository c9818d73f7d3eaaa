import type { Slices } from '../kernel/slices.ts';
import { annotate } from './exemplars.ts';
import type { Draft, Fragment, RowKey } from './fragment.ts';
import { type BaseLabels, baseLabels } from './labels.ts';
import { type Lines, type Rows, renderLines } from './lines.ts';
import { endsHistogram, ownDrafts, type Setting } from './own-families.ts';
import type { Content } from './page.ts';
import { isOurs, serverDraft } from './server-families.ts';
import type { Fragments } from './shelf.ts';

/** What bounds the content of one source. */
export interface Bounds {
  readonly labelValueBytes: number;
  /** Series that the source may show in all. */
  readonly series: number;
  /** Series that it may show of one family. */
  seriesOf(family: string): number;
}

/** A content as fragments, and how many series were offered, shown or not. */
export interface Rendered {
  readonly fragments: Fragments;
  readonly offered: number;
}

/** Renders what a source shows; `before` is what it showed last, of which unchanged prefixes are copied. */
export async function renderContent(
  content: Content,
  before: Fragments,
  bounds: Bounds,
  slices: Slices,
): Promise<Rendered> {
  const base = baseLabels(content.labels, bounds.labelValueBytes);
  const fragments = new Map<string, Fragment>();
  let offered = 0;
  let room = bounds.series;
  const setting = { base, valueBytes: bounds.labelValueBytes, before };
  for (const draft of await drafts(content, setting, slices)) {
    const { family, rows } = draft;
    offered += rows.keys.length;
    const most = Math.min(room, bounds.seriesOf(family.name));
    if (most <= 0 || rows.keys.length === 0 || isOurs(family.name) !== (family.metric !== undefined)) continue;
    if (fragments.has(family.name)) continue;
    const lines = await renderLines(first(rows, wholes(draft, most)), reusable(draft, base, before), slices);
    const annotated = draft.exemplars && annotate(lines, draft.exemplars);
    fragments.set(family.name, { family, base: base.text, lines, ...(annotated && { annotated }) });
    room -= lines.keys.length;
  }
  return { fragments, offered };
}

async function drafts(
  { samples, passthrough = [] }: Content,
  setting: Setting,
  slices: Slices,
): Promise<readonly Draft[]> {
  const own = await ownDrafts(samples, setting, slices);
  return [...own, ...passthrough.map((family) => serverDraft(family, setting.base, setting.valueBytes))];
}

/** Where one of our histograms would be cut in its middle, less: a part of one says what is not so. */
function wholes({ family, rows: { keys } }: Draft, most: number): number {
  if (family.metric?.type !== 'histogram') return most;
  let end = Math.min(most, keys.length);
  while (end > 0 && !endsHistogram(keys[end - 1])) end -= 1;
  return end;
}

function first(rows: Rows<RowKey>, most: number): Rows<RowKey> {
  return rows.keys.length <= most ? rows : { ...rows, keys: rows.keys.slice(0, most) };
}

function reusable({ family }: Draft, base: BaseLabels, before: Fragments): Lines<RowKey> | undefined {
  const fragment = before.get(family.name);
  return fragment?.base === base.text && fragment.family.metric === family.metric ? fragment.lines : undefined;
}
