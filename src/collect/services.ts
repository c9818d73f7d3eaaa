import { gauge, type Sample, sample } from '../metric/metric.ts';
import { type ServiceState, serviceStatusCodes } from '../model/service.ts';
import { collector } from './collector.ts';
import { keyOf } from './distinct.ts';
import { entryOf } from './entry-of.ts';
import { parseNanoseconds } from './nanoseconds.ts';

const source = 'POST /informant/current-service-status';
const instance = ['service_name', 'partition', 'replica'] as const;
const codes: ReadonlyMap<string, number> = new Map(Object.entries(serviceStatusCodes));
const unchanged = 'StatusUnchanged';
const unrecognised = 'unrecognised';
const shownStatuses = [...codes.keys()].filter((status) => status !== unchanged).concat(unrecognised);

const serviceStatus = gauge({
  name: 'graphdb_service_status',
  help: '1 for the observed status of a service instance and 0 for the others; a word the documents do not know is unrecognised.',
  labels: [...instance, 'status'],
  source: `${source}: ServiceStatus`,
});

const serviceStatusCode = gauge({
  name: 'graphdb_service_status_code',
  help: 'Code of the observed status: 0 unchanged, 3 unknown, 6 online, 9 warmup, 12 readonly, 15 starting, 18 paused, 21 stopping, 24 offline, 27 down.',
  labels: instance,
  source: `${source}: ServiceStatus`,
});

const processRunning = gauge({
  name: 'graphdb_service_process_running',
  help: '1 if the process of a service instance is Running, 0 for any other ProcessState; absent where the server names none.',
  labels: instance,
  source: `${source}: ProcessState`,
});

/** What every service instance says of itself. `StatusUnchanged` has no status of its own, so none is shown for it. */
export const services = collector<readonly ServiceState[]>({
  name: 'services',
  about: 'Status and process state of every service instance.',
  scope: 'cluster',
  metrics: [serviceStatus, serviceStatusCode, processRunning],
  defaults: { enabled: true, every: 5000, timeout: 3000 },
  calls: ['serviceStatus'],
  privilege: '',
  read: (db, signal) => db.serviceStatus(signal),
  samples,
  statuses: (states) => ({ kind: 'states', states: [...newestOfEach(states)] }),
});

function* samples(states: readonly ServiceState[]): Generator<Sample> {
  for (const state of newestOfEach(states)) {
    const labels = { service_name: state.service, partition: state.partition, replica: state.replica };
    const code = codes.get(state.status);
    if (code !== undefined) yield sample(serviceStatusCode, labels, code);
    if (state.process !== '') yield sample(processRunning, labels, state.process === 'Running' ? 1 : 0);
    if (state.status === unchanged) continue;
    const shown = code === undefined ? unrecognised : state.status;
    for (const status of shownStatuses) yield sample(serviceStatus, { ...labels, status }, status === shown ? 1 : 0);
  }
}

/** One event per instance: where the server repeats itself, the newest counts. */
function newestOfEach(states: readonly ServiceState[]): Iterable<ServiceState> {
  const newest = new Map<string, ServiceState>();
  for (const state of states) {
    const key = keyOf(state.service, state.partition, state.replica);
    const known = entryOf(newest, key, () => state);
    if (known !== state && timeOf(state) > timeOf(known)) newest.set(key, state);
  }
  return newest.values();
}

function timeOf({ timestampNs }: ServiceState): bigint {
  return parseNanoseconds(timestampNs) ?? 0n;
}
