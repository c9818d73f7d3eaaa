import {
  AnnotationQueryBuilder,
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import type { GeneratedFile } from '../document.ts';
import type { DashboardDefinition, MarkDefinition } from './definition.ts';
import { drawPanel } from './drawing.ts';
import { dashboardLinks, tag } from './links.ts';
import { datasource, variables } from './variables.ts';

/** Panels are numbered here, since nobody else does. */
function drawDashboard(definition: DashboardDefinition): Dashboard {
  const { name, title, description, marks, rows } = definition;
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
    .annotations(marks.map(drawMark));
  let id = 0;
  for (const row of rows) {
    drawn.withRow(new RowBuilder(row.title).id(++id));
    for (const panel of row.panels) drawn.withPanel(drawPanel(panel, ++id));
  }
  return drawn.build();
}

/** The file that Grafana imports. */
export function dashboardFile(definition: DashboardDefinition): GeneratedFile {
  const text = `${JSON.stringify(drawDashboard(definition), null, 2)}\n`;
  return { path: `dashboards/${definition.name}.json`, text };
}

function drawMark({ name, expr, title, color }: MarkDefinition): AnnotationQueryBuilder {
  return new AnnotationQueryBuilder()
    .name(name)
    .datasource(datasource)
    .enable(true)
    .iconColor(color)
    .expr(expr)
    .titleFormat(title)
    .step('30s');
}
