import { lookUp } from '../app/discovery.ts';
import { type Planned, plan } from '../app/plan.ts';
import { collectors } from '../collect/all.ts';
import type { CallName } from '../collect/collector.ts';
import type { Config } from '../config/config.ts';
import { openCluster } from '../graphdb/connect.ts';
import type { GraphDb } from '../graphdb/graph-db.ts';
import type { Failure } from '../kernel/failure.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { ClusterSettings, NodeSettings } from '../model/settings.ts';
import { withDeadline } from './deadline.ts';
import { doctorCalls, type Outcome } from './doctor-calls.ts';
import type { Finding } from './doctor-table.ts';
import type { CliPorts, World } from './ports.ts';

/** Tries every call of every enabled collector on every node; the nodes of a cluster side by side. */
export async function examine(config: Config, ports: CliPorts, world: World): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const settings of config.clusters) {
    findings.push(...(await examineCluster(settings, { config, ports, world })));
  }
  if (ports.stderr.terminal) ports.stderr.write(`\r${' '.repeat(progressWidth)}\r`);
  return findings;
}

const progressWidth = 78;

interface Examination {
  readonly config: Config;
  readonly ports: CliPorts;
  readonly world: World;
}

async function examineCluster(settings: ClusterSettings, examination: Examination): Promise<readonly Finding[]> {
  const nodes = await nodesOf(settings, examination.world);
  if (!nodes.ok) {
    const found = { cluster: settings.name, node: '*', collector: 'discovery', call: 'discover', latency: 0 } as const;
    return [{ ...found, reason: 'unreachable', advice: nodes.error, tolerated: false }];
  }
  const planned = plan(collectors, examination.config);
  // What runs by calendar is heavy: the first node alone is asked for it.
  const light = planned.filter((one) => one.settings.cron === undefined);
  const byNode = await Promise.all(
    nodes.value.map((node, place) => examineNode({ settings, node }, place === 0 ? planned : light, examination)),
  );
  return byNode.flat();
}

async function nodesOf(
  { nodes, discover }: ClusterSettings,
  { dns }: World,
): Promise<Result<readonly NodeSettings[], string>> {
  return discover === undefined ? ok(nodes) : lookUp(discover, dns);
}

/** Each node is asked over a connection of its own: what one of them said does not answer for another. */
async function examineNode(
  { settings, node }: { readonly settings: ClusterSettings; readonly node: NodeSettings },
  planned: readonly Planned[],
  { config, ports, world }: Examination,
): Promise<readonly Finding[]> {
  const connection = openCluster(settings, { bodyLimit: config.limits.body }, { ...ports, ...world });
  const { db } = connection.node(node);
  const findings: Finding[] = [];
  for (const one of planned) findings.push(...(await examineCollector(db, one, ports)));
  await connection.close();
  return findings;
}

async function examineCollector(db: GraphDb, planned: Planned, ports: CliPorts): Promise<readonly Finding[]> {
  const { collector, settings } = planned;
  const findings: Finding[] = [];
  for (const call of collector.calls) {
    progress(`${db.cluster}/${db.node}: ${collector.name} ${call}`, ports);
    findings.push(await tryCall(db, call, planned, ports));
  }
  if (settings.cron !== undefined || findings.every(({ reason }) => reason === 'works')) return findings;
  const reading = await withDeadline(ports.clock, settings.timeout, (signal) => collector.read(db, signal));
  return findings.map((finding) => ({ ...finding, tolerated: reading.ok && finding.reason !== 'works' }));
}

async function tryCall(db: GraphDb, call: CallName, planned: Planned, ports: CliPorts): Promise<Finding> {
  const { collector, settings } = planned;
  const begun = ports.clock.now().mono;
  const outcome = await withDeadline(ports.clock, settings.timeout, (signal) => doctorCalls[call](db, signal));
  return {
    cluster: db.cluster,
    node: db.node,
    collector: collector.name,
    call,
    reason: outcome.ok ? 'works' : reasonOf(outcome.error),
    latency: ports.clock.now().mono - begun,
    advice: advice(outcome, collector.privilege),
    tolerated: false,
  };
}

function advice(outcome: Outcome, privilege: string): string {
  if (outcome.ok) return '';
  const { message } = outcome.error;
  return reasonOf(outcome.error) === 'auth' && privilege !== '' ? `grant ${privilege}: ${message}` : message;
}

/** Where no server refused us, it was our own credential that is missing, and no privilege helps. */
function reasonOf({ reason, status, code }: Failure): Finding['reason'] {
  return reason === 'auth' && status === undefined && code === undefined ? 'no_credential' : reason;
}

function progress(text: string, { stderr }: CliPorts): void {
  if (stderr.terminal) stderr.write(`\r${text.slice(0, progressWidth).padEnd(progressWidth)}`);
}
