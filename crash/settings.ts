import { rules } from '../src/alert/rules/all.ts';
import type { FakeReceiver, ReceiverOptions } from '../src/simulator/receivers/receivers.ts';

/** The receivers: one of each kind, and one that is told only what the first does not take. */
export const cast: readonly ReceiverOptions[] = [
  { name: 'oncall', kind: 'pagerduty' },
  { name: 'chat', kind: 'slack' },
  { name: 'hook', kind: 'webhook' },
  { name: 'am', kind: 'alertmanager' },
  { name: 'spare', kind: 'webhook' },
];

/** Those who are told of everything. */
export const routed: readonly string[] = ['oncall', 'chat', 'hook', 'am'];

/** The one that takes digests. */
export const chronicler = 'chat';

/** Those that call incidents by the same names as {@link chronicler} does. */
export const likeNamed: readonly string[] = ['oncall', 'hook', 'spare'];

/** Where the cluster and the receivers are, and where the state is kept. */
export interface Places {
  readonly nodes: readonly { readonly name: string; readonly url: string }[];
  readonly receivers: readonly FakeReceiver[];
  readonly stateFolder: string;
}

const often = { every: '250ms', timeout: '250ms' };
const off = { enabled: false };
const idle = ['metrics', 'categories', 'statistics', 'queries', 'delayed_queries', 'workload_queues', 'license'];

/** A daemon for which every reading counts at once, with no rule but the one about services. */
export function settingsFor({ nodes, receivers, stateFolder }: Places): object {
  return {
    listen: '127.0.0.1:0',
    state_dir: stateFolder,
    tracker: { confirm: 1, flapping: { on: 1, off: 0.9 } },
    clusters: [{ name: 'c', nodes, graphs: ['fraud'] }],
    collectors: { health: often, services: often, ...Object.fromEntries(idle.map((name) => [name, off])) },
    alerts: {
      receivers: receivers.map(wayTo),
      routes: [{ receivers: routed, group_wait: '0s', repeat: '1h', fallback: 'spare' }],
      rules: {
        ...Object.fromEntries(rules.map(({ name }) => [name, off])),
        service_not_online: { hold: '0s', keep_firing: '0s' },
      },
    },
  };
}

function wayTo({ name, kind, url }: FakeReceiver): object {
  if (kind === 'pagerduty') return { name, pagerduty: { url, routing_key: 'k'.repeat(32) } };
  if (kind === 'slack') return { name, slack: { webhook_url: url } };
  if (kind === 'webhook') return { name, webhook: { url } };
  return { name, alertmanager: { urls: [url] } };
}
