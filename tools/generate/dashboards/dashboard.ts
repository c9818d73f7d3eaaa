import {
  AnnotationQueryBuilder,
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import type { GeneratedFile } from '../generated-file.ts';
import type { AnnotationDefinition, DashboardDefinition } from './definition.ts';
import { dashboardLinks, tag } from './links.ts';
import { buildPanel } from './panel.ts';
import { datasource, variables } from './variables.ts';

/** Numbers the rows and panels, which Grafana does not do on import. */
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
  let id = 0;
  for (const row of rows) {
    drawn.withRow(new RowBuilder(row.title).id(++id));
    for (const panel of row.panels) drawn.withPanel(buildPanel(panel, ++id));
  }
  return drawn.build();
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
