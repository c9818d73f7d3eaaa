import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { requireTool } from '../support/tools.ts';
import type { PanelModel } from '../tools/generate/dashboards/model.ts';
import type { Frame } from './panel-frames.ts';

/** Versions of Grafana whose library resolves the panels: the oldest that is supported, and the newest that was tested. */
export const grafanaVersions = ['10.4', '12.3'] as const;

const field = z.object({
  /** Name in the legend or in the header of the column. */
  name: z.string(),
  /** Name in the data frame: a label for the columns of a table. */
  source: z.string(),
  refId: z.string(),
  type: z.string(),
  labels: z.record(z.string(), z.string()),
  unit: z.string(),
  colorMode: z.string(),
  /** How a table shows the cells: only `color-text` and `color-background` show the color. */
  cell: z.string(),
  mapped: z.boolean(),
  noValue: z.string(),
  values: z.array(
    z.object({
      at: z.number().nullable(),
      raw: z.union([z.number(), z.string(), z.null()]),
      text: z.string(),
      color: z.string(),
    }),
  ),
});

/** A field as Grafana shows it: each value with its text and color. */
export type ResolvedField = z.infer<typeof field>;

/** A panel, and the frames that answer its queries. */
export interface PanelInput {
  readonly panel: PanelModel;
  readonly frames: readonly Frame[];
}

/** Resolves panels with Grafana's own library, in one process; returns the fields of each. */
export async function resolvePanels(
  version: (typeof grafanaVersions)[number],
  inputs: readonly PanelInput[],
): Promise<ReadonlyMap<PanelInput, readonly ResolvedField[]>> {
  const program = join(requireTool('grafana-fields'), `${version}.mjs`);
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(JSON.stringify(inputs));
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (output === '') throw new Error(`grafana-fields failed: ${problems.slice(0, 2000)}`);
  const fields = z.array(z.array(field)).length(inputs.length).parse(JSON.parse(output));
  return new Map(inputs.map((input, at) => [input, fields[at] ?? []]));
}
