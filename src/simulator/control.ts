import type { Millis } from '../kernel/time.ts';
import type { ServiceStatus } from '../model/service.ts';
import type { FaultName, FaultTarget } from './faults/fault.ts';
import type { CheckName } from './world/consistency-results.ts';
import type { SimulatedQuery } from './world/query.ts';
import { defaultTimeout, installedQuery } from './world/query.ts';
import type { ScenarioName } from './world/scenarios.ts';
import type { HostState, World } from './world/world.ts';

/** Operations of a demo or a test on the cluster. Unknown names of nodes and services throw. */
export interface SimulatorControl {
  setScenario(scenario: ScenarioName): Promise<void>;
  addGraph(name: string): void;
  /** Sets the status of an instance. Partition or replica is `''` if the service has none. */
  setService(service: string, partition: string, replica: string, status: ServiceStatus): void;
  /** Sets the status of all instances of a service. */
  setInstances(service: string, status: ServiceStatus): void;
  /** Starts a query as a client does; returns undefined if the queues of the node are full. */
  startQuery(query: QueryRequest): SimulatedQuery | undefined;
  /** Aborts a query as the server does; returns false if it does not run. */
  abortQuery(node: string, requestId: string): boolean;
  /** Stops a node with all of its services; its port refuses connections when this resolves. */
  stopNode(name: string): Promise<void>;
  /** Starts a node again on the same port. */
  startNode(name: string): Promise<void>;
  /** Injects a fault until the returned function is called. */
  injectFault(fault: FaultName, where?: FaultTarget): Promise<() => Promise<void>>;
  /** Sets the number of unsynced entries that a check finds in a partition (`1`) or an engine (`GPE_1_1`). */
  setUnsynced(check: CheckName, subject: string, entries: number): void;
  /** Sets the time after which a node returns the row of a write heartbeat. */
  delayRows(node: string, delay: Millis): void;
  /** Returns the number of rows of write heartbeats that nothing has deleted. */
  remainingRows(): number;
  /** Returns the graphs that were rebuilt, in order. */
  rebuiltGraphs(): readonly string[];
}

/** A query to start. */
interface QueryRequest {
  readonly node: string;
  readonly graph: string;
  /** Name of the query. */
  readonly query: string;
  readonly runsFor: Millis;
  /** Granted timeout; 16 s if absent. */
  readonly timeout?: Millis;
  /** Query string. */
  readonly parameters?: string;
  readonly detached?: boolean;
  /** Whether the query keeps running although the server reports it as aborted. */
  readonly outlivesAborts?: boolean;
}

/** Creates the control of a world. `settle` opens and closes listeners to match it; `catchUp` advances it to the current time. */
export function createControl(world: World, settle: () => Promise<void>, catchUp: () => void): SimulatorControl {
  const now = (): World => {
    catchUp();
    return world;
  };
  return {
    async setScenario(scenario) {
      now().startScenario(scenario);
      await settle();
    },
    addGraph: (name) => now().addGraph(name),
    setService(service, partition, replica, status) {
      const found = now().setService({ service, partition, replica }, status);
      if (found === 0)
        throw new Error(`no service instance ${service} '${partition}' '${replica}' is part of the simulation`);
    },
    setInstances(service, status) {
      if (now().setService({ service }, status) === 0)
        throw new Error(`no service ${service} is part of the simulation`);
    },
    startQuery: (request) => startQuery(now(), request),
    abortQuery(node, requestId) {
      const { load } = hostNamed(now(), node);
      return load.abort((query) => query.requestId === requestId, world.now).length > 0;
    },
    async stopNode(name) {
      now().switchHost(hostNamed(world, name), false);
      await settle();
    },
    async startNode(name) {
      now().switchHost(hostNamed(world, name), true);
      await settle();
    },
    async injectFault(fault, where = {}) {
      const remove = now().faultInjector.inject(fault, where);
      await settle();
      return () => {
        remove();
        return settle();
      };
    },
    setUnsynced: (check, subject, entries) => now().consistencyResults.set(check, subject, entries),
    delayRows: (node, delay) => now().heartbeatRows.delay(hostNamed(world, node).host.name, delay),
    remainingRows: () => now().heartbeatRows.size,
    rebuiltGraphs: () => [...now().rebuiltGraphs],
  };
}

function startQuery(world: World, request: QueryRequest): SimulatedQuery | undefined {
  const { graph, query, runsFor, timeout = defaultTimeout, parameters = '', detached = false } = request;
  const spec = installedQuery({ graph, query, parameters, runsFor, timeout, detached });
  const behavior = request.outlivesAborts === true ? { outlivesAborts: true } : {};
  return hostNamed(world, request.node).load.start({ ...spec, ...behavior }, world.now);
}

function hostNamed(world: World, name: string): HostState {
  const found = world.hosts.find(({ host }) => host.name === name);
  if (found === undefined) throw new Error(`no node '${name}' is part of the simulation`);
  return found;
}
