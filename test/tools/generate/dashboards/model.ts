import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { dashboards } from '../../../../tools/generate/dashboards/all.ts';

const source = z.object({ type: z.string().optional(), uid: z.string() });

const target = z.looseObject({
  refId: z.string().min(1),
  expr: z.string().min(1),
  legendFormat: z.string().min(1),
  datasource: source,
  instant: z.boolean().optional(),
  exemplar: z.boolean().optional(),
});

const link = z.looseObject({
  type: z.enum(['link', 'dashboards']),
  url: z.string().optional(),
  tags: z.array(z.string()),
  includeVars: z.boolean(),
  keepTime: z.boolean(),
});

const gridPosition = z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() });

const panel = z.looseObject({
  id: z.int().positive(),
  type: z.string(),
  title: z.string(),
  description: z.string().default(''),
  datasource: source.optional(),
  gridPos: gridPosition,
  targets: z.array(target).default([]),
  links: z.array(link).default([]),
  fieldConfig: z
    .looseObject({ defaults: z.looseObject({ unit: z.string().optional(), noValue: z.string().optional() }) })
    .optional(),
});

const variable = z.object({
  name: z.string(),
  type: z.enum(['datasource', 'query']),
  label: z.string(),
  query: z.string(),
  datasource: source.optional(),
  multi: z.boolean(),
  allValue: z.string().optional(),
  refresh: z.int().optional(),
});

const dashboard = z.object({
  uid: z.string(),
  title: z.string(),
  tags: z.array(z.string()),
  editable: z.boolean(),
  schemaVersion: z.int(),
  panels: z.array(panel.extend({ panels: z.array(panel).default([]) })),
  links: z.array(link),
  templating: z.object({ list: z.array(variable) }),
  annotations: z.object({
    list: z.array(z.object({ name: z.string(), expr: z.string(), datasource: source, titleFormat: z.string() })),
  }),
});

/** A dashboard, as much of it as the tests go by. */
export type DashboardModel = z.infer<typeof dashboard>;
/** A panel or a row of one. */
export type PanelModel = z.infer<typeof panel>;

/** The committed dashboards, as Grafana gets them, by name. */
export const committed: readonly (readonly [string, DashboardModel])[] = dashboards.map(({ name }) => {
  const file = join(import.meta.dirname, '../../../../dashboards', `${name}.json`);
  return [name, dashboard.parse(JSON.parse(readFileSync(file, 'utf8')))];
});

/** Panels of a dashboard with queries, without rows: those that are closed contain their panels. */
export function panelsOf({ panels }: DashboardModel): readonly PanelModel[] {
  return panels.flatMap((one) => (one.type === 'row' ? one.panels : [one]));
}
