import type { Rule } from '../../src/alert/rule.ts';

/** What Prometheus cannot know is said otherwise, or put into the template language of its own. */
interface Wording {
  readonly summary?: string;
  readonly description?: string;
  /** Facts of the rule, as Go templates. */
  readonly facts?: Readonly<Record<string, string>>;
}

const part = (label: string, before: string): string => `{{ with $labels.${label} }}${before}{{ . }}{{ end }}`;
const partition = `{{ $labels.service_name }}${part('partition', '_')}`;
const instance = `${partition}${part('replica', '#')}`;
const place = '{{ with $labels.node }}on {{ . }}{{ else }}of the cluster{{ end }}';
const seconds = '{{ $value | humanizeDuration }}';
const share = '{{ $value | humanizePercentage }}';
const bytes = '{{ $value | humanize1024 }}B';
const policy = part('policy', ' by the policy ');

/** By rule, where its own texts are not enough. */
const wordings: Readonly<Record<string, Wording>> = {
  node_unreachable: {
    description:
      'The liveness call to {{node}} fails; the landing page of graphwarden tells since when and why. Look whether the machine is up, whether its address answers from there, and whether NGINX and the query endpoint run on it.',
  },
  partition_without_online_replica: {
    facts: { instance: partition },
    description:
      'No replica of {{instance}} is online. What needs this partition fails now. Look at the status of its replicas, and at the nodes that they run on.',
  },
  service_not_online: {
    summary: '{{instance}} of {{cluster_name}} is not online',
    facts: { instance },
    description:
      '{{instance}} is down, offline, missing or in a status that nobody knows, or takes too long to start or stop. Look at its log on the node that it runs on, and at what happened there before: graphwarden transitions --service {{service_name}}.',
  },
  service_flapping: {
    facts: { instance },
    description:
      '{{instance}} has changed its status again and again. Look for restarts in a loop: memory, licence, a full disk.',
  },
  service_readonly: {
    facts: { instance },
    description: '{{instance}} is read-only: loading and updates fail. Look at the free space of its host first.',
  },
  status_sources_disagree: {
    facts: { instance },
    description:
      'What the service status call says of {{instance}} and what the metrics of the same server say have differed for more than two of their refreshes. One of them is stale: look at the informant of its node.',
  },
  informant_frozen: { facts: { age: seconds } },
  memory_near_abort: {
    facts: { free: share },
    description:
      '{{free}} of the memory of {{host_id}} are free. The engine slows down below 30 % and aborts queries below 10 %. Look for the largest queries (graphwarden queries) and for what else runs on this host.',
  },
  disk_filling: { facts: { free: bytes, forecast: '' } },
  query_overdue: { facts: { count: '{{ $value }}' } },
  delay_queue_pressure: {
    summary: 'Too many queries wait on {{node}} of {{cluster_name}}, or one of them for too long',
    description:
      'The queue of {{node}} takes 20 beside 50 that run, and the usual time-out is 16 s, so that clients begin to fail. Look for what runs long: graphwarden queries --node {{node}}.',
  },
  endpoint_timeouts: {
    facts: { percent: share },
    description:
      '{{percent}} of the requests of the last minute to {{method}} {{path}} (graph {{graph}}) on {{node}} ran out of time. Look at the load of the node, and at what else runs on it.',
  },
  query_aborted: {
    summary: `Queries are aborted on {{node}} of {{cluster_name}}${policy}`,
    description: `In the last 5 minutes queries were aborted on {{node}} of {{cluster_name}}${policy}. Which ones, and why, is in the audit log: graphwarden guard audit.`,
  },
  abort_unconfirmed: {
    summary: 'A query may still run on {{node}} of {{cluster_name}} after its abort',
    description: `In the last hour a query was aborted on {{node}}${policy}, and it is still listed, or no list tells; it is not tried again. Which one is in the audit log: graphwarden guard audit. Look whether it is there: graphwarden queries --node {{node}}. If it is, abort it by hand: graphwarden abort {{cluster_name}}/{{node}} ID --reason WHY.`,
  },
  guard_breaker_open: {
    facts: {
      stopped:
        '{{ with $labels.query }}{{ . }} of {{ $labels.graph }}{{ end }}{{ with $labels.policy }}by the policy {{ . }}{{ end }}',
    },
    description:
      'What it aborted did not help. So it stays until somebody has seen to the cause and says: graphwarden guard reset-breaker {{cluster_name}} KEY; the landing page of graphwarden names the key.',
  },
  guard_blind: {
    description:
      'No list of what runs on {{node}} is good enough to abort by. No policy acts there until one is good again. See graphwarden_guard_void_total by reason, and graphwarden doctor.',
  },
  check_failed: {
    facts: { where: `${part('graph', ', graph ')}${part('partition', ', partition ')}${part('engine', ', ')}` },
  },
  check_overdue: {
    description:
      'No consistency check has come to an end for {{age}}. Look at the collector consistency: its calendar, its time-out and its privileges.',
    facts: { age: seconds },
  },
  auth_failed: {
    facts: { place },
    description:
      'Nothing that {{collector}} reads is known {{place}}. Try graphwarden doctor, which says for each call what the server wants.',
  },
  token_expiring: {
    summary: 'The token for {{node}} of {{cluster_name}} is about to expire',
    description:
      'The token with which {{node}} is asked has {{left}} left and was not renewed. Look whether the secret is still valid and whether the server gives tokens: graphwarden doctor.',
    facts: { left: seconds },
  },
  license_expiring: {
    summary: 'The licence of {{cluster_name}} ends in {{left}}',
    description: 'Order a new licence and apply it before it ends: without it the server stops.',
    facts: { left: seconds },
  },
  collector_blind: {
    facts: { place },
    description:
      'There was no good reading of {{collector}} {{place}} for several of its intervals; graphwarden_collector_failures_total tells the reason. Rules that go by it say nothing until it is back.',
  },
  delivery_failing: {
    description:
      'The receiver {{receiver}} of graphwarden is broken or has not answered for long; graphwarden_notifications_total tells what it came to by result. Try graphwarden alert test --receiver {{receiver}}.',
  },
  state_not_durable: {
    description:
      'What happens is kept in memory alone; the log of graphwarden tells why. Alerts are sent all the same; after a restart some would be sent again and some ends would be missing.',
  },
  guard_paused: {
    description:
      'The guard is to enforce policies and holds still. No policy acts on any cluster until somebody says: graphwarden guard resume.',
  },
  watchdog: {
    summary: 'Prometheus evaluates the rules of graphwarden',
    description:
      'This alert fires as long as Prometheus evaluates these rules and reaches its Alertmanager. When it stops coming, nobody watches.',
  },
};

/** The texts of a rule as Prometheus fills them in; a word of the catalogue that nothing stands for stays in its braces. */
export function textsFor({ name, summary, description, labels }: Rule) {
  const own = wordings[name] ?? {};
  const filled = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (braces: string, word: string) => {
      if (word === 'cluster_name' || labels.includes(word)) return `{{ $labels.${word} }}`;
      return own.facts?.[word] ?? braces;
    });
  return { summary: filled(own.summary ?? summary), description: filled(own.description ?? description) };
}
