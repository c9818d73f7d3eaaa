import type { ProbeTask } from '../../model/probe.ts';
import { probeKinds } from './kinds/all.ts';
import type { Probe, ProbeFailureReason } from './probe.ts';

const heartbeatSetup = 'Create the vertex type and the loading job graphwarden_heartbeat';

/** Returns what to check or change when a probe fails for `reason`, for `doctor`, the API and the status page. */
export function adviceOnProbe(reason: ProbeFailureReason, probe: Pick<Probe, 'name' | 'kind' | 'request'>): string {
  const { graph, task } = probe.request;
  const advice: Readonly<Record<ProbeFailureReason, string>> = {
    unreachable: 'Check that the node runs, that its url is right, and that no firewall or proxy blocks it.',
    timeout: `The server responds too slowly: check its load, or raise timeout of the probe ${probe.name}.`,
    tls: "Check the tls settings of the cluster (ca_file, server_name) and the expiry of the server's certificate.",
    auth: `${grantOf(probe)} If the user has it, renew the credential of read_auth.`,
    status: rejectedAdvice(task, graph),
    body: rejectedAdvice(task, graph),
    too_large: 'The answer exceeds the limit that the message names: reduce the output of the probe.',
    unsupported: missingAdvice(task, graph),
    rejected: `${heartbeatSetup} on the graph ${graph}, with the columns of the guide.`,
    not_visible: 'Writes do not reach the nodes that the message names: check their GPE and Kafka.',
    not_deleted: `Grant DELETE_DATA on the vertex type graphwarden_heartbeat of the graph ${graph}, and check the log of the node.`,
    count: dataAdvice('assert.count', probe.name),
    value: dataAdvice('assert.values', probe.name),
    age: dataAdvice('assert.age', probe.name),
    latency: `Find what slows the server down, or raise assert.max_latency of the probe ${probe.name}.`,
  };
  return advice[reason];
}

function dataAdvice(key: string, name: string): string {
  return `Find what changed the data on the server; if the data is right, correct ${key} of the probe ${name}.`;
}

function grantOf({ kind, request: { graph } }: Pick<Probe, 'kind' | 'request'>): string {
  const { privilege = '' } = probeKinds.find(({ name }) => name === kind) ?? {};
  if (kind === 'write_heartbeat' || kind === 'template_query') {
    return `Grant a role of the user of read_auth on the graph ${graph}: ${privilege}.`;
  }
  return `In GSQL: GRANT PRIVILEGE ${privilege} ON GRAPH ${graph} TO a role of the user of read_auth.`;
}

/** Advice if the server does not have what the probe names. */
function missingAdvice(task: ProbeTask, graph: string): string {
  switch (task.kind) {
    case 'installed_query':
      return `Install the query ${task.query} on the graph ${graph}, or correct graph or installed_query.query of the probe.`;
    case 'template_query':
      return `Correct graph or template_query.template of the probe: the server has no template ${task.template}, or no graph ${graph}.`;
    case 'interpreted_query':
      return `Correct graph of the probe: the server has no graph ${graph}, or cannot interpret queries.`;
    case 'write_heartbeat':
      return `${heartbeatSetup} on the graph ${graph}.`;
    case 'vertex':
    case 'edges':
    case 'shortest_path':
    case 'all_paths':
      break;
  }
  return `Correct graph of the probe: the server has no graph ${graph}, or lacks this request.`;
}

/** Advice if the server answers with an error: it does not say in a documented form what is wrong with the request. */
function rejectedAdvice(task: ProbeTask, graph: string): string {
  switch (task.kind) {
    case 'installed_query':
    case 'template_query':
      return 'Compare the parameters of the probe with those that the query declares; the log of the node states the error.';
    case 'interpreted_query':
      return 'Run the statement of the probe in GSQL, which states the error, and correct the statement or its parameters.';
    case 'vertex':
      return `Correct vertex.type or vertex.id of the probe: the graph ${graph} has no such vertex of the type ${task.vertex.type}.`;
    case 'edges':
      return `Correct the keys of edges: the graph ${graph} has no such source vertex of the type ${task.selection.source.type}, or no such type.`;
    case 'shortest_path':
    case 'all_paths':
      return `Correct sources and targets of the probe: the graph ${graph} lacks one of the vertices or types.`;
    case 'write_heartbeat':
      break;
  }
  return `${heartbeatSetup} on the graph ${graph}.`;
}
