import { gauge, type Sample, sample } from '../metric/metric.ts';
import { type ServiceState, serviceStatusCodes } from '../model/service.ts';
import { collector } from './collector.ts';
import { compositeKey, getOrCreate } from './keyed-rows.ts';
import { parseNanoseconds } from './nanoseconds.ts';

const source = 'POST /informant/current-service-status';
const instance = ['service_name', 'partition', 'replica'] as const;
const codes: ReadonlyMap<string, number> = new Map(Object.entries(serviceStatusCodes));
const unchanged = 'StatusUnchanged';
const unrecognised = 'unrecognised';
/** Code of every status that the server does not document. */
const unrecognisedCode = -1;

const serviceStatus = gauge({
  name: 'graphdb_service_status',
  help: 'Observed status of the service instance as a label, with the value 1; a series ends when the status changes, and undocumented statuses are unrecognised.',
  labels: [...instance, 'status'],
  essential: true,
  source: `${source}: ServiceStatus`,
});

const serviceStatusCode = gauge({
  name: 'graphdb_service_status_code',
  help: 'Code of the observed status: -1 unrecognised, 0 unchanged, 3 unknown, 6 online, 9 warmup, 12 readonly, 15 starting, 18 paused, 21 stopping, 24 offline, 27 down.',
  labels: instance,
  essential: true,
  source: `${source}: ServiceStatus`,
});

const processRunning = gauge({
  name: 'graphdb_service_process_running',
  help: 'Whether the process of the service instance is running (1) or not (0); absent if the server does not report it.',
  labels: instance,
  source: `${source}: ProcessState`,
});

/** Status of every service instance as it reports it. `StatusUnchanged` is not a status, so none is exposed for it. */
export const services = collector<readonly ServiceState[]>({
  name: 'services',
  about: 'Status and process state of every service instance.',
  scope: 'cluster',
  metrics: [serviceStatus, serviceStatusCode, processRunning],
  defaults: { enabled: true, interval: 5000, timeout: 3000 },
  calls: ['serviceStatus'],
  privilege: '',
  poll: (db, signal) => db.serviceStatus(signal),
  samples,
  plausible: (states, accepts) => states.filter((state) => accepts(instanceLabels(state))),
  serviceStatuses: (states) => ({ kind: 'states', states: [...newestPerInstance(states)] }),
});

function* samples(states: readonly ServiceState[]): Generator<Sample> {
  for (const state of newestPerInstance(states)) {
    const labels = instanceLabels(state);
    const code = codes.get(state.status);
    yield sample(serviceStatusCode, labels, code ?? unrecognisedCode);
    if (state.process !== '') yield sample(processRunning, labels, state.process === 'Running' ? 1 : 0);
    if (state.status === unchanged) continue;
    yield sample(serviceStatus, { ...labels, status: code === undefined ? unrecognised : state.status }, 1);
  }
}

function instanceLabels({ service, partition, replica }: ServiceState): Record<(typeof instance)[number], string> {
  return { service_name: service, partition, replica };
}

/** Yields one state per instance: the newest if the server repeats an instance. */
function newestPerInstance(states: readonly ServiceState[]): Iterable<ServiceState> {
  const newest = new Map<string, ServiceState>();
  for (const state of states) {
    const key = compositeKey(state.service, state.partition, state.replica);
    const known = getOrCreate(newest, key, () => state);
    if (known !== state && eventTime(state) > eventTime(known)) newest.set(key, state);
  }
  return newest.values();
}

function eventTime({ timestampNs }: ServiceState): bigint {
  return parseNanoseconds(timestampNs) ?? 0n;
}
