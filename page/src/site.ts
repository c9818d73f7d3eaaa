import { alertSchema } from '../../src/api/alerts.ts';
import { clusterSchema, collectorSchema } from '../../src/api/clusters.ts';
import { guardSchema } from '../../src/api/guard.ts';
import { type ReplicasReport, replicaPageSchema } from '../../src/api/replicas.ts';
import { serviceSchema } from '../../src/api/services.ts';
import { listOf, objectOf, settings, useData, useNow } from './data.ts';

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
  return {
    alerts: useAlerts(),
    clusters: useClusters(),
    collectors: useCollectors(),
    services: useServices(),
    guard: useGuard(),
    replicas: useReplicas(),
    now: useNow(),
    parameters,
  };
}
