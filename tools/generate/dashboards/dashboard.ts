import {
  AnnotationQueryBuilder,
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  type GridPos,
  type Panel,
  RowBuilder,
  type RowPanel,
} from '@grafana/grafana-foundation-sdk/dashboard';
import type { GeneratedFile } from '../generated-file.ts';
import type { AnnotationDefinition, DashboardDefinition, PanelDefinition, RowDefinition } from './definition.ts';
import { dashboardLinks, tag } from './links.ts';
import { buildPanel } from './panel.ts';
import { datasource, variables } from './variables.ts';

function buildDashboard(definition: DashboardDefinition): Dashboard {
  const { name, title, description, annotations, rows } = definition;
  const drawn = new DashboardBuilder(title)
    .uid(`graphwarden-${name}`)
    .description(description)
    .tags([tag])
    .timezone('browser')
    .readonly()
    .tooltip(DashboardCursorSync.Crosshair)
    .time({ from: 'now-3h', to: 'now' })
    .refresh('30s')
    .variables([...variables()])
    .links(dashboardLinks())
    .annotations(annotations.map(buildAnnotation));
  return { ...drawn.build(), panels: arrange(rows) };
}

/** Numbers and places the rows and panels. A collapsed row contains its panels and takes one line. */
function arrange(rows: readonly RowDefinition[]): (Panel | RowPanel)[] {
  let id = 0;
  let y = 0;
  return rows.flatMap(({ title, collapsed = false, panels }) => {
    const heading = new RowBuilder(title).id(++id).collapsed(collapsed).gridPos({ x: 0, y, w: 24, h: 1 }).build();
    const placed = place(panels, y + 1).map(({ panel, gridPos }) => ({ ...buildPanel(panel, ++id).build(), gridPos }));
    y += 1 + (collapsed ? 0 : heightOf(placed) - y - 1);
    return collapsed ? [{ ...heading, panels: placed }] : [heading, ...placed];
  });
}

function heightOf(placed: readonly { readonly gridPos: GridPos }[]): number {
  return Math.max(...placed.map(({ gridPos }) => gridPos.y + gridPos.h));
}

/** Places panels from left to right, in lines as high as their highest panel. */
function place(panels: readonly PanelDefinition[], top: number): { panel: PanelDefinition; gridPos: GridPos }[] {
  let [x, y, line] = [0, top, 0];
  return panels.map((panel) => {
    const { width: w, height: h } = panel;
    if (x + w > 24) [x, y, line] = [0, y + line, 0];
    const gridPos = { x, y, w, h };
    [x, line] = [x + w, Math.max(line, h)];
    return { panel, gridPos };
  });
}

/** Returns the file that Grafana imports. */
export function dashboardFile(definition: DashboardDefinition): GeneratedFile {
  const text = `${JSON.stringify(buildDashboard(definition), null, 2)}\n`;
  return { path: `dashboards/${definition.name}.json`, text };
}

function buildAnnotation({ name, expr, title, color }: AnnotationDefinition): AnnotationQueryBuilder {
  return new AnnotationQueryBuilder()
    .name(name)
    .datasource(datasource)
    .enable(true)
    .iconColor(color)
    .expr(expr)
    .titleFormat(title)
    .step('30s');
}
