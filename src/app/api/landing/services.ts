import { formatElapsed } from '../../../kernel/duration.ts';
import { colorOfStatus, type StateColor, serviceStatusCodes } from '../../../model/service.ts';
import { absent, type ReplicaView } from '../../../model/transition.ts';
import { gaps, type Latest, type Reported, type Statement, samplesOf, say, type Tone } from './statement.ts';
import { count, list } from './words.ts';

const good = 'Online';
const unchanged = 'StatusUnchanged';

/** Severity of each color of a status. A status that is not documented may be harmful. */
const tones: Readonly<Record<StateColor, Tone>> = {
  green: 'good',
  blue: 'warning',
  yellow: 'warning',
  orange: 'warning',
  red: 'bad',
  grey: 'bad',
};

/** «48 instances: 46 Online; GPE 1/2 Warmup for 20 s»; `tracked` knows since when. */
export function servicesInWords(latest: Latest, tracked: readonly ReplicaView[] = [], wall = 0): readonly Statement[] {
  const since = new Map(tracked.map((view) => [viewName(view), view.observedSince]));
  const ofStatus: OfStatus = (status, instances) =>
    sayStatus(status, `${list(instances, 12)} ${wordFor(status)}${lasting(instances, since, wall)}`);
  return [
    ...latest.reported.flatMap((reported) => ofReading(reported, ofStatus)),
    ...missing(tracked, wall),
    ...restless(tracked),
    ...gaps(latest),
  ];
}

type OfStatus = (status: string, instances: readonly string[]) => Statement;

function ofReading(reported: Reported, ofStatus: OfStatus): readonly Statement[] {
  const statuses = statusesOf(reported);
  const byStatus = Map.groupBy(statuses.keys(), (instance) => statuses.get(instance) ?? '');
  const fine = byStatus.get(good)?.length ?? 0;
  const all = count(statuses.size, 'instance');
  if (statuses.size === 0) return [say('warning', 'The server names no service')];
  const total = fine === statuses.size ? say('good', `${all}, all ${good}`) : say('plain', `${all}: ${fine} ${good}`);
  const others = [...byStatus].filter(([status]) => status !== good);
  return [
    total,
    ...others
      .toSorted(([one], [other]) => gravity(other) - gravity(one))
      .map(([status, instances]) => ofStatus(status, instances)),
    ...withoutProcess(reported, statuses),
  ];
}

function wordFor(status: string): string {
  return status === unchanged ? 'without a status' : status;
}

/** Returns the longest time that one of the instances has had this status. */
function lasting(instances: readonly string[], since: ReadonlyMap<string, number>, wall: number): string {
  const known = instances.flatMap((instance) => since.get(instance) ?? []);
  if (known.length === 0) return '';
  const longest = formatElapsed(wall - Math.min(...known));
  return instances.length === 1 ? ` for ${longest}` : `, the first for ${longest}`;
}

/** The server does not speak of them any more. */
function missing(tracked: readonly ReplicaView[], wall: number): readonly Statement[] {
  const gone = tracked.filter(({ observed }) => observed === absent);
  if (gone.length === 0) return [];
  const since = new Map(gone.map((view) => [viewName(view), view.observedSince]));
  const names = [...since.keys()];
  return [say('bad', `${list(names, 12)} missing from the server's answer${lasting(names, since, wall)}`)];
}

function restless(tracked: readonly ReplicaView[]): readonly Statement[] {
  const names = tracked.filter(({ flapping }) => flapping).map(viewName);
  return names.length === 0 ? [] : [say('warning', `${list(names, 12)} flapping`)];
}

function sayStatus(status: string, text: string): Statement {
  const color = colorOfStatus(status);
  return { ...say(status === unchanged ? 'plain' : tones[color], text), color };
}

/** The server's own codes grow with the trouble. */
function gravity(status: string): number {
  return new Map<string, number>(Object.entries(serviceStatusCodes)).get(status) ?? 0;
}

function withoutProcess(reported: Reported, statuses: ReadonlyMap<string, string>): readonly Statement[] {
  const stopped = [...samplesOf(reported, 'graphdb_service_process_running')]
    .filter(({ labels, value }) => value === 0 && statuses.get(nameOf(labels)) === good)
    .map(({ labels }) => nameOf(labels));
  return stopped.length === 0 ? [] : [say('bad', `${list(stopped, 12)} ${good} without a running process`)];
}

/** By the name of the instance. One without a status of its own shows by its code alone. */
function statusesOf(reported: Reported): ReadonlyMap<string, string> {
  const statuses = new Map<string, string>();
  for (const { labels } of samplesOf(reported, 'graphdb_service_status_code')) statuses.set(nameOf(labels), unchanged);
  for (const { labels, value } of samplesOf(reported, 'graphdb_service_status')) {
    if (value === 1) statuses.set(nameOf(labels), labels.status ?? '');
  }
  return statuses;
}

function viewName({ service, partition, replica }: ReplicaView): string {
  return nameOf({ service_name: service, partition, replica });
}

/** `GPE 1/2` is partition 1, replica 2, as its engine name `GPE_1_2` has them. */
function nameOf({ service_name = '', partition = '', replica = '' }: Readonly<Record<string, string>>): string {
  const place = [partition, replica].filter((part) => part !== '').join('/');
  return place === '' ? service_name : `${service_name} ${place}`;
}
