import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import type { PanelDefinition, Query } from './definition.ts';
import { datasource } from './variables.ts';

/** The queries of a panel, named `A`, `B` …: a table and a single value want the present alone. */
export function queriesOf({ look, queries }: PanelDefinition): DataqueryBuilder[] {
  return queries.map((query, at) => {
    const drawn = plain(query, String.fromCharCode(65 + at));
    if (look === 'table') return drawn.instant().format(PromQueryFormat.Table);
    if (look === 'heatmap') return drawn.range().format(PromQueryFormat.Heatmap);
    return drawn.range();
  });
}

function plain({ expr, legend, exemplar }: Query, refId: string): DataqueryBuilder {
  const drawn = new DataqueryBuilder().refId(refId).expr(expr).legendFormat(legend).datasource(datasource);
  return exemplar === undefined ? drawn : drawn.exemplar(exemplar);
}
