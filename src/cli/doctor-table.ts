import type { ProbeFailureReason } from '../collect/probes/probe.ts';
import type { Millis } from '../kernel/time.ts';
import { replaceControlCharacters } from '../kernel/visible-text.ts';
import { formatTable, type Terminal } from './table.ts';

/** Result of one request of `doctor`. */
export interface DoctorFinding {
  readonly cluster: string;
  readonly node: string;
  readonly collector: string;
  readonly call: string;
  /**
   * `no_credential`: not requested, because no credentials are configured. `series_dropped`: the answers work, but a limit
   * drops series of them. `not_found`: the server does not have what a probe names.
   */
  readonly reason: 'works' | 'no_credential' | 'series_dropped' | 'not_found' | ProbeFailureReason;
  readonly latency: Millis;
  /** Error of the server and the remedy; empty if the request works. */
  readonly advice: string;
  /** What to do so that the request works; empty if it works. */
  readonly fix: string;
  /** Privilege that the user of the request lacks. */
  readonly missingPrivilege?: string;
  /** Whether the collector works although this request fails. */
  readonly tolerated: boolean;
}

/** Text for each result. */
export const reasonLabels: Readonly<Record<DoctorFinding['reason'], string>> = {
  works: 'works',
  no_credential: 'no credentials',
  series_dropped: 'series dropped',
  auth: 'access denied',
  unsupported: 'unsupported by this version',
  unreachable: 'unreachable',
  timeout: 'timeout',
  tls: 'TLS error',
  status: 'reachable, refusing',
  body: 'invalid response',
  too_large: 'response too large',
  not_found: 'not found',
  rejected: 'row not loaded',
  not_visible: 'row not visible',
  not_deleted: 'row not deleted',
  count: 'assertion failed',
  value: 'assertion failed',
  age: 'assertion failed',
  latency: 'too slow',
};

/** Failed requests that have one cause and one fix. */
interface Cause {
  /** Cluster and nodes, such as `prod/m1, m2`. */
  readonly scope: string;
  readonly label: string;
  readonly requests: readonly string[];
  /** First error. */
  readonly advice: string;
  readonly fix: string;
}

const maxNamedRequests = 3;

/** Requests that do not work as a table with one row per cause; empty if all work. */
export function causesTable(findings: readonly DoctorFinding[], terminal?: Terminal): string {
  const failed = findings.filter(({ reason }) => reason !== 'works');
  if (failed.length === 0) return '';
  const alike = nodesFailingAlike(findings);
  const causes = [...Map.groupBy(failed, (finding) => causeKey(finding, alike)).values()].flatMap((group) =>
    toCause(group, alike),
  );
  const rows = causes.map(({ scope, label, requests, advice, fix }) => {
    const more = requests.length - maxNamedRequests;
    const named = requests.slice(0, maxNamedRequests).join(', ') + (more > 0 ? ` and ${more} more` : '');
    return [scope, label, fix, advice, named].map(replaceControlCharacters);
  });
  return `${formatTable([['NODES', 'RESULT', 'FIX', 'FIRST ERROR', 'REQUESTS'], ...rows], terminal)}\n`;
}

/** Causes of a whole node; its requests all fail in the same way. */
const nodeReasons: readonly DoctorFinding['reason'][] = ['unreachable', 'timeout', 'tls'];

function placeOf({ cluster, node }: DoctorFinding): string {
  return JSON.stringify([cluster, node]);
}

/** Reasons that are about a whole node if all its requests fail for one of them. */
const answerReasons: readonly DoctorFinding['reason'][] = ['status', 'body', 'unsupported'];

/** Reasons by place. */
type PlaceReasons = ReadonlyMap<string, DoctorFinding['reason']>;

/**
 * Nodes with an unusable answer to all requests, as a proxy, a login page or another server gives it, and nodes that refuse
 * even the liveness request.
 */
function nodesFailingAlike(findings: readonly DoctorFinding[]): PlaceReasons {
  const places = [...Map.groupBy(findings, placeOf)];
  return new Map(
    places.flatMap(([place, own]) => {
      const refuses = own.some(({ call, reason }) => call === 'ping' && reason === 'status');
      const reason = refuses ? 'status' : answerReasons.find((one) => own.every((finding) => finding.reason === one));
      return reason === undefined || own.length === 1 ? [] : [[place, reason] as const];
    }),
  );
}

/** Returns the key by which findings are grouped. The failures of a node for its reason in `alike` have one cause. */
function causeKey(finding: DoctorFinding, alike: PlaceReasons): string {
  const { cluster, node, collector, call, reason, fix, tolerated } = finding;
  const isOfNode = nodeReasons.includes(reason) || alike.get(placeOf(finding)) === reason;
  if (isOfNode) return JSON.stringify([cluster, reason, tolerated, node]);
  if (reason === 'auth' || reason === 'no_credential') return JSON.stringify([cluster, reason, tolerated, fix]);
  return JSON.stringify([cluster, reason, tolerated, collector, call]);
}

const otherServer = 'Check that the url of the node is that of the database, not of another server or a proxy.';

function toCause(findings: readonly DoctorFinding[], alike: PlaceReasons): readonly Cause[] {
  const [first] = findings;
  if (first === undefined) return [];
  const { cluster, reason, advice, fix } = first;
  // A server that has none of the endpoints is not the database.
  const isOther = reason === 'unsupported' && alike.get(placeOf(first)) === reason;
  return [
    {
      scope: `${cluster}/${[...new Set(findings.map(({ node }) => node))].join(', ')}`,
      label: isOther ? reasonLabels.not_found : labelOf(first),
      requests: [...new Set(findings.map(({ collector, call }) => `${collector} ${call}`))],
      advice,
      fix: isOther ? otherServer : fix,
    },
  ];
}

/** Results as a table with one row per request. */
export function findingsTable(findings: readonly DoctorFinding[], terminal?: Terminal): string {
  const rows = findings.map((finding) => [
    `${finding.cluster}/${finding.node}`,
    finding.collector,
    finding.call,
    labelOf(finding),
    `${Math.round(finding.latency)} ms`,
    replaceControlCharacters(finding.advice),
  ]);
  return formatTable([['NODE', 'COLLECTOR', 'REQUEST', 'RESULT', 'LATENCY', 'ADVICE'], ...rows], terminal);
}

function labelOf({ reason, missingPrivilege, tolerated }: DoctorFinding): string {
  const label = missingPrivilege === undefined ? reasonLabels[reason] : 'missing privilege';
  return tolerated ? `${label}, not required` : label;
}

const maxNamedCollectors = 4;

/** Summary of all results. */
export function findingsSummary(findings: readonly DoctorFinding[]): string {
  if (findings.length === 0) return 'no collectors enabled\n';
  const working = findings.filter(({ reason }) => reason === 'works').length;
  const counted = `${working} of ${findings.length} requests work\n`;
  const broken = [
    ...new Set(findings.filter(isFailing).map(({ cluster, node, collector }) => [cluster, node, collector].join('/'))),
  ];
  const more = broken.length - maxNamedCollectors;
  const named = broken.slice(0, maxNamedCollectors).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${counted}${broken.length === 0 ? 'all enabled collectors work' : `${broken.length} failing: ${named}`}\n`;
}

/** Whether the result means that an enabled collector does not work. */
export function isFailing({ reason, tolerated }: DoctorFinding): boolean {
  return reason !== 'works' && reason !== 'series_dropped' && !tolerated;
}
