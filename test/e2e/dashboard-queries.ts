import { dashboards } from '../../tools/generate/dashboards/all.ts';
import { committed, type DashboardModel, panelsOf } from '../tools/generate/dashboards/model.ts';

/** One query of a panel or a mark. */
export interface PanelQuery {
  readonly about: string;
  readonly expr: string;
  readonly legend: string;
  readonly type: string;
  readonly emptyWhenHealthy: boolean;
}

/** Metrics that only a daemon with a shared database has, which the runs for the dashboards do not have. */
const aboutReplicas = /graphwarden_cluster_owner|graphwarden_(?:lease|replicas)/;

/** Every query of every dashboard that a single daemon has data for. */
export const queries: readonly PanelQuery[] = committed
  .flatMap(([name, dashboard]) => [...panelQueries(name, dashboard), ...markQueries(name, dashboard)])
  .filter(({ expr }) => !aboutReplicas.test(expr));

/** Returns the query with that description. */
export function queryOf(about: string): PanelQuery {
  const found = queries.find((one) => one.about === about);
  if (found === undefined) throw new Error(`no query: ${about}`);
  return found;
}

function panelQueries(name: string, dashboard: DashboardModel): readonly PanelQuery[] {
  const defined = dashboards.find((one) => one.name === name)?.rows.flatMap(({ panels }) => panels) ?? [];
  return panelsOf(dashboard).flatMap(({ title, type, targets }) =>
    targets.map(({ expr, legendFormat, refId }) => ({
      about: `${name}: ${title} ${refId}`,
      expr,
      legend: legendFormat,
      type,
      emptyWhenHealthy: defined.find((one) => one.title === title)?.emptyWhenHealthy !== undefined,
    })),
  );
}

function markQueries(name: string, { annotations }: DashboardModel): readonly PanelQuery[] {
  return annotations.list.map(({ name: mark, expr, titleFormat }) => ({
    about: `${name}: mark ${mark}`,
    expr,
    legend: titleFormat,
    type: 'mark',
    emptyWhenHealthy: true,
  }));
}
