import type { Rule } from '../../../src/alert/rule.ts';
import { reachableTexts, unreachableTexts } from '../../../src/alert/rules/node-unreachable.ts';
import { instanceMarks } from '../../../src/model/instance-name.ts';

/** Texts of a rule for Prometheus, which does not have all facts and has its own template language. */
interface AlertText {
  readonly summary?: string;
  readonly description?: string;
  /** Placeholders of the rule, as Go templates. */
  readonly facts?: Readonly<Record<string, string>>;
}

const part = (label: string, before: string): string => `{{ with $labels.${label} }}${before}{{ . }}{{ end }}`;
const partition = `{{ $labels.service_name }}${part('partition', instanceMarks.partition)}`;
const instance = `${partition}${part('replica', instanceMarks.replica)}`;
const place = '{{ with $labels.node }}on {{ . }}{{ else }}of the cluster{{ end }}';
const probePlace = '{{ $labels.cluster_name }}{{ with $labels.node }}/{{ . }}{{ end }}';
const seconds = '{{ $value | humanizeDuration }}';
const share = '{{ $value | humanizePercentage }}';
const bytes = '{{ $value | humanize1024 }}B';
const policy = part('policy', ' by the policy ');

/** One text if the node responds to the liveness request, another one if it does not. */
function ifReachable(yes: string, no: string): string {
  const reachable = 'graphdb_reachable{cluster_name=%q, node=%q} == 1';
  return `{{ if printf ${JSON.stringify(reachable)} $labels.cluster_name $labels.node | query }}${yes}{{ else }}${no}{{ end }}`;
}

/** Texts by rule, if the texts of the rule do not suffice. */
const alertTexts: Readonly<Record<string, AlertText>> = {
  node_unreachable: {
    description:
      'The health check of {{node}} fails. The status page of graphwarden shows since when and why. {{advice}}.',
    facts: {
      state: ifReachable(reachableTexts.state, unreachableTexts.state),
      advice: ifReachable(reachableTexts.advice, unreachableTexts.advice),
    },
  },
  cluster_down: {
    summary: 'Cluster {{cluster_name}} is down',
    description:
      'No node of {{cluster_name}} passes its health check, or none of its replicated services has an online replica. Check whether it was stopped (gadmin stop all), then the network between graphwarden and its nodes, their power, and the license.',
  },
  service_without_online_replica: {
    summary: '{{service_name}} of {{cluster_name}} is down: none of its partitions has an online replica',
    description:
      'No replica of {{service_name}} is online in any of its partitions. All requests that need {{service_name}} fail. Check whether it was stopped, its license, and what its partitions share: storage, ZooKeeper, Kafka.',
  },
  partition_unavailable: {
    summary: '{{instance}} of {{cluster_name}} was unavailable for {{share}} of the last 10 minutes',
    facts: { instance: partition, share, outages: 'several outages' },
  },
  partition_without_online_replica: {
    facts: { instance: partition },
    description:
      'No replica of {{instance}} is online. Queries that need this partition fail. Check the status of its replicas and the nodes that they run on.',
  },
  service_not_online: {
    summary: '{{instance}} of {{cluster_name}} is not online',
    facts: { instance },
    description:
      '{{instance}} is down, offline, missing or in an unknown status, or takes too long to start or stop. Check its log on its node, and its earlier status changes: graphwarden transitions --service {{service_name}}.',
  },
  service_flapping: {
    facts: { instance },
    description:
      '{{instance}} has changed its status repeatedly. Check for a restart loop: memory, license, a full disk.',
  },
  service_readonly: {
    facts: { instance },
    description:
      '{{instance}} is read-only. Queries that read succeed; loading and updates fail. Check the free disk space of its host first.',
  },
  status_sources_disagree: {
    facts: { instance },
    description:
      'The service status request and the metrics of the same server have reported different states of {{instance}} for more than two refreshes. One of them is stale: check the informant (IFM) of the node.',
  },
  informant_frozen: { facts: { age: seconds } },
  memory_near_abort: {
    facts: { free: share },
    description:
      '{{free}} of the memory of {{host_id}} is free. The engine throttles queries below 30 % and aborts queries below 10 %. Find the largest queries (graphwarden queries) and other processes on this host.',
  },
  disk_filling: { facts: { free: bytes, forecast: '' } },
  graph_shrunk: {
    summary: 'The graph {{graph}} of {{cluster_name}} has lost a large share of its vertices',
    description:
      'The graph {{graph}} has {{vertices}} vertices, which is far below the highest number within the last hour. If you did not delete them, stop the loading jobs and the clients that write, and find out who cleared the store or runs a job that deletes vertices. Do not run a rebuild before you know the cause.',
    facts: { vertices: '{{ $value | printf "%.0f" }}' },
  },
  schema_versions_differ: {
    description:
      'The nodes apply different versions of the schema of the graph {{graph}}; the highest is {{highest}}: a query can fail on one node and succeed on another. Check RESTPP on the nodes with the lower version, and restart it there if the version does not change.',
    facts: { highest: '{{ $value }}' },
  },
  query_unusable: { facts: { queries: '{{ $value }} quer{{ if ne $value 1.0 }}ies{{ else }}y{{ end }}' } },
  query_disappeared: {
    description:
      'The graph {{graph}} has {{queries}}, which is less than the highest number within the last hour. Clients that call a missing query get errors. The log of graphwarden names the missing queries (inventory changed). Install them again if they were not dropped on purpose.',
    facts: { queries: '{{ $value }} quer{{ if ne $value 1.0 }}ies{{ else }}y{{ end }}' },
  },
  query_installation_hanging: {
    facts: { queries: '{{ $value }} quer{{ if ne $value 1.0 }}ies{{ else }}y{{ end }}' },
  },
  loading_stalled: {
    description:
      'The loading job {{loading_job}} of the graph {{graph}} is running and reads no lines. Check the source of its data, the free disk space of the hosts, and whether RESTPP and GPE are online. A job that reads a stream without new messages looks the same: disable this rule for such clusters.',
  },
  vector_indexes_not_ready: { facts: { engines: '{{ $value }} engine{{ if ne $value 1.0 }}s{{ end }}' } },
  optimizer_statistics_drifted: {
    description:
      'The stored statistics of the type {{type}} of the graph {{graph}} differ much from its number of vertices or edges. Queries can get slow plans. Update the statistics: POST /gsql/v1/stats/cardinality?graph={{graph}}, then install the queries again.',
  },
  loading_rejects_lines: { facts: { rejected: share } },
  new_superuser: { facts: { added: '{{ $value }} account{{ if ne $value 1.0 }}s{{ end }}' } },
  destructive_privilege_granted: { facts: { granted: '{{ $value }} account{{ if ne $value 1.0 }}s{{ end }}' } },
  failed_logins: { facts: { failures: '{{ $value }} login{{ if ne $value 1.0 }}s{{ end }}' } },
  probe_failed: {
    facts: { place: probePlace },
    description:
      'The last run of the probe {{probe}} on {{place}} failed; graphdb_probe_failing names the reason. Clients that do the same get errors, wrong results, or results too late. `graphwarden doctor` runs the probe once and states what did not match.',
  },
  probe_slow: {
    facts: { place: probePlace },
    description:
      'The last run of the probe {{probe}} on {{place}} took nearly as long as max_latency or the timeout allows. A run that exceeds the limit fails. Compare the phases in graphdb_probe_phase_duration_seconds: queue is the wait in graphwarden, response is the wait for the server.',
  },
  query_overdue: { facts: { runs: '{{ $value }} run{{ if ne $value 1.0 }}s{{ end }}' } },
  queue_saturated: {
    description:
      'The workload queue {{queue}} of {{engine}} runs and delays as many queries as its limits allow. The server rejects further queries (status 422, REST-14000). Find the queries that occupy it: graphwarden queries.',
  },
  delay_queue_pressure: {
    summary: 'Queries wait {{where}} of {{cluster_name}}',
    facts: {
      where:
        '{{ with $labels.node }}on {{ . }}{{ else }}in the workload queue {{ $labels.queue }} of {{ $labels.engine }}{{ end }}',
    },
    description:
      'Queries wait {{where}}: half of the delay queue is taken, or a query has waited for its usual timeout. The server rejects queries when the delay queue is full, and the default query timeout is 16 s. Find long-running queries: graphwarden queries.',
  },
  endpoint_timeouts: {
    facts: { percent: share },
    description:
      '{{percent}} of the requests of the last minute to {{method}} {{path}} (graph {{graph}}) on {{node}} timed out. Check the load of the node and the other queries that run on it.',
  },
  query_aborted: {
    summary: `Queries were aborted on {{node}} of {{cluster_name}}${policy}`,
    description: `In the last 5 minutes queries were aborted on {{node}} of {{cluster_name}}${policy}. The audit log lists them with the reasons: graphwarden guard audit.`,
  },
  abort_unconfirmed: {
    summary: 'A query may still run on {{node}} of {{cluster_name}} although it should be aborted',
    description: `In the last hour a query was aborted on {{node}}${policy}, and it is still listed or no usable list exists; the guard does not retry. Or its abort request could not be sent for a minute. Find the query in the audit log (graphwarden guard audit) and check whether it still runs: graphwarden queries --node {{node}}. If it does, abort it manually: graphwarden abort {{cluster_name}}/{{node}} ID --reason REASON.`,
  },
  guard_breaker_open: {
    facts: {
      stopped:
        '{{ with $labels.query }}{{ . }} of {{ $labels.graph }}{{ end }}{{ with $labels.policy }}by the policy {{ . }}{{ end }}',
    },
    description:
      'The aborts did not help. The circuit breaker stays open until you reset it. Fix the cause, then run graphwarden guard reset-breaker {{cluster_name}} KEY. The status page of graphwarden shows the key.',
  },
  guard_blind: {
    description:
      'No recent process list of {{node}} is usable. No policy aborts queries on this node until a list is usable again. Check graphwarden_guard_skips_total and run graphwarden doctor.',
  },
  guard_not_ready: {
    description:
      'An enforcing policy cannot abort queries {{where}}. graphwarden_guard_ready has the reason in a label. Run graphwarden guard status, and see the runbook for the reason.',
    facts: {
      where: `${part('node', 'on ')}{{ if not $labels.node }}on any node{{ end }} of {{ $labels.cluster_name }}`,
    },
  },
  check_failed: {
    facts: { where: `${part('graph', ', graph ')}${part('partition', ', partition ')}${part('engine', ', ')}` },
  },
  check_overdue: {
    description:
      'No consistency check has finished for {{age}}. Check the schedule, the timeout and the privileges of the collector consistency.',
    facts: { age: seconds },
  },
  auth_failed: {
    facts: { place },
    description:
      'There is no data of {{collector}} {{place}}. Run graphwarden doctor, which names the missing privilege of each request.',
  },
  rebuild_slow: { facts: { duration: seconds } },
  token_expiring: {
    summary: 'The token for {{node}} of {{cluster_name}} is about to expire',
    description:
      'The token for requests to {{node}} expires in {{left}} and was not renewed. Check that the secret is valid and that the server issues tokens: graphwarden doctor.',
    facts: { left: seconds },
  },
  license_expiring: {
    summary: 'The license of {{cluster_name}} expires in {{left}}',
    description:
      'The license of {{cluster_name}} expires in {{left}}. Order and apply a new license before that: without a license the server stops.',
    facts: { left: seconds },
  },
  collector_blind: {
    facts: { place },
    description:
      'The collector {{collector}} has not succeeded {{place}} for several of its intervals. graphwarden_collector_failures_total shows the reason. Rules that use its data do not fire until it recovers.',
  },
  series_dropped: {
    description:
      'limits.{{reason}} drops series of {{cluster_name}}; the log of graphwarden (series dropped) names their families. Dashboards and Prometheus rules do not see them; the rules of graphwarden do. Raise the limit, or expose fewer series: graphwarden doctor predicts them.',
  },
  delivery_failing: {
    description:
      'The receiver {{receiver}} of graphwarden rejects notifications or has not responded for long. graphwarden_notifications_total shows the results. Test it: graphwarden alert test --receiver {{receiver}}.',
  },
  state_not_durable: {
    description:
      'graphwarden keeps its state in memory only. Its log shows the reason. Notifications are still sent; after a restart some are sent again and some resolves are missing. Check the state directory and its disk, or the database that replicas share.',
  },
  no_owner: {
    summary: 'No replica of graphwarden monitors some clusters',
    description:
      'No replica owns some clusters, so that graphwarden neither polls these clusters nor notifies of them. graphdb_cluster_owner shows which. Check that all replicas run with the same clusters and reach the database.',
  },
  lease_lost: {
    summary: 'A replica of graphwarden lost clusters to another replica',
    description:
      'A replica did not renew its leases in time, and another one took its clusters over (graphwarden_lease_changes_total shows which). It was killed or stalled, or did not reach the database. Check the replica and its connection to the database.',
  },
  replicas_differ: {
    summary: 'Replicas of graphwarden have different configurations',
    description:
      'Replicas that share a database have different clusters or settings (graphwarden_replicas_different shows which). The replica that owns a cluster determines what the guard aborts and which receivers are notified. Give all replicas of one database the same configuration file.',
  },
  config_rejected: {
    description:
      'graphwarden rejects its configuration file and uses the last accepted configuration. Policies that the file removes, changes or sets to observe abort no queries. Its status page shows the first problem. Run graphwarden check-config and correct the file.',
  },
  guard_paused: {
    description:
      'A policy is set to enforce, but the guard of {{cluster_name}} is paused. No policy aborts queries on this cluster until an operator runs: graphwarden guard resume.',
  },
  watchdog: {
    summary: 'Prometheus evaluates the rules of graphwarden',
    description:
      'This alert fires as long as Prometheus evaluates these rules and reaches its Alertmanager. If it stops, monitoring is broken.',
  },
};

/** Returns the texts of a rule for Prometheus. A placeholder that Prometheus cannot fill stays in its braces. */
export function annotationsFor(rule: Rule) {
  const { summary, description } = alertTexts[rule.name] ?? {};
  const own = textsInPrometheus(rule);
  const filled = (text: string) => inPrometheus(text, rule);
  return {
    summary: summary === undefined ? own.summary : filled(summary),
    description: description === undefined ? own.description : filled(description),
  };
}

/** Returns the texts that graphwarden uses for a rule, as {@link annotationsFor} fills them. */
export function textsInPrometheus(rule: Rule) {
  return { summary: inPrometheus(rule.summary, rule), description: inPrometheus(rule.description, rule) };
}

function inPrometheus(text: string, { name, labels }: Rule): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (braces: string, word: string) => {
    if (word === 'cluster_name' || labels.includes(word)) return `{{ $labels.${word} }}`;
    return alertTexts[name]?.facts?.[word] ?? braces;
  });
}
