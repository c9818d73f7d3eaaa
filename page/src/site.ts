import { alertSchema } from '../../src/api/alerts.ts';
import { clusterSchema, collectorSchema } from '../../src/api/clusters.ts';
import { guardSchema } from '../../src/api/guard.ts';
import { type ReplicasReport, replicaPageSchema } from '../../src/api/replicas.ts';
import { serviceSchema } from '../../src/api/services.ts';
import { type Loaded, listOf, objectOf, oldAfter, settings, useData, useNow } from './data.ts';

const loadAlerts = listOf('/api/v1/alerts', alertSchema);
const loadClusters = listOf('/api/v1/clusters', clusterSchema);
const loadCollectors = listOf('/api/v1/collectors', collectorSchema);
const loadServices = listOf('/api/v1/services', serviceSchema);
const loadReplicas = settings.replicas
  ? objectOf<ReplicasReport | undefined>('/api/v1/replicas?limit=1000', replicaPageSchema)
  : async () => undefined;
const loadGuard = objectOf('/api/v1/guard', guardSchema);

/** Data that several views show. */
export interface SiteData {
  readonly alerts: ReturnType<typeof useAlerts>;
  readonly clusters: ReturnType<typeof useClusters>;
  readonly collectors: ReturnType<typeof useCollectors>;
  readonly services: ReturnType<typeof useServices>;
  readonly guard: ReturnType<typeof useGuard>;
  /** The value is undefined without a shared database. */
  readonly replicas: ReturnType<typeof useReplicas>;
  /** ms since the epoch by the clock of the daemon. */
  readonly now: number;
  readonly parameters: URLSearchParams;
  /** When the oldest data about clusters was loaded; undefined until all of it is loaded. */
  readonly asOf: number | undefined;
  /** Whether the present state is known: data about clusters is loaded and not old. */
  readonly isCurrent: boolean;
}

function useAlerts() {
  return useData('alerts', loadAlerts);
}

function useClusters() {
  return useData('clusters', loadClusters);
}

function useCollectors() {
  return useData('collectors', loadCollectors);
}

function useServices() {
  return useData('services', loadServices);
}

function useGuard() {
  return useData('guard', loadGuard);
}

function useReplicas() {
  return useData<ReplicasReport | undefined>('replicas', loadReplicas);
}

/** Loads the data that several views show. */
export function useSite(parameters: URLSearchParams): SiteData {
  const [alerts, clusters, services] = [useAlerts(), useClusters(), useServices()];
  const now = useNow();
  const asOf = oldestOf([alerts, clusters, services]);
  return {
    alerts,
    clusters,
    collectors: useCollectors(),
    services,
    guard: useGuard(),
    replicas: useReplicas(),
    now,
    parameters,
    asOf,
    isCurrent: asOf !== undefined && now - asOf <= oldAfter,
  };
}

function oldestOf(loaded: readonly Loaded<unknown>[]): number | undefined {
  const oldest = Math.min(...loaded.map(({ at }) => at ?? Number.NaN));
  return Number.isNaN(oldest) ? undefined : oldest;
}
