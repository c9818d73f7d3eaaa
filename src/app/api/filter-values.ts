import { alertName } from '../../alert/active-alert.ts';
import { serviceStatusCodes } from '../../model/service.ts';
import { absent, unobserved } from '../../model/transition.ts';
import type { KnownValues } from './known-values.ts';
import { reportQueries } from './query-routes.ts';
import type { RouteDependencies } from './route-dependencies.ts';

/** Returns the values of the filters that the lists have in common. */
export function knownValues(dependencies: RouteDependencies): KnownValues {
  const replicas = () => dependencies.incidents.trackedServices().replicas;
  const statuses = { values: () => [...Object.keys(serviceStatusCodes), unobserved, absent], isOpen: true } as const;
  const clusters = { values: () => dependencies.pollers().map(({ settings }) => settings.name) };
  const queries = () => reportQueries(dependencies);
  return {
    cluster: clusters,
    name: clusters,
    node: {
      values: () => dependencies.pollers().flatMap((poller) => poller.nodes().map(({ settings }) => settings.name)),
    },
    collector: { values: () => dependencies.pipeline.feeds().map(({ feed }) => feed.collector) },
    service: { values: () => replicas().map(({ service }) => service) },
    partition: { values: () => replicas().map(({ partition }) => partition) },
    status: statuses,
    confirmed: statuses,
    graph: { values: () => queries().map(({ graph }) => graph), isOpen: true },
    query: { values: () => queries().map(({ query }) => query), isOpen: true },
    policy: { values: () => dependencies.config().guard.policies.map(({ name }) => name) },
    receiver: { values: () => dependencies.config().alerts.receivers.map(({ name }) => name) },
    alertname: { values: () => dependencies.parts.rules.map(alertName) },
  };
}
