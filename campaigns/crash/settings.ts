import { rules } from '../../src/alert/rules/all.ts';
import type { ReceiverOptions, SimulatedReceiver } from '../../src/simulator/receivers/receivers.ts';
import type { ReceiverChange } from './plan.ts';

/** Receivers: one of each kind, and one fallback. */
export const receiverOptions: readonly ReceiverOptions[] = [
  { name: 'oncall', kind: 'pagerduty' },
  { name: 'chat', kind: 'slack' },
  { name: 'hook', kind: 'webhook' },
  { name: 'am', kind: 'alertmanager' },
  { name: 'spare', kind: 'webhook' },
];

/** Receivers that get all notifications. */
export const routedReceivers: readonly string[] = ['oncall', 'chat', 'hook', 'am'];

/** Receiver that gets digests. */
export const digestReceiver = 'chat';

/** Receivers that use the same incident ids as {@link digestReceiver}. */
export const receiversWithSameIds: readonly string[] = ['oncall', 'hook', 'spare'];

/** Addresses of the cluster and the receivers, and the state directory. */
export interface Addresses {
  readonly nodes: readonly { readonly name: string; readonly url: string }[];
  readonly receivers: readonly SimulatedReceiver[];
  readonly stateDir: string;
  /** Receiver that is absent or has another name. */
  readonly changed?: ReceiverChange | undefined;
}

const fallbackReceiver = 'spare';
const often = { interval: '250ms', timeout: '250ms' };
/** Intervals of the collector `health`, on which the campaign does not depend. */
const seldom = { interval: '5s', timeout: '2s' };
const off = { enabled: false };
const idle = ['metrics', 'categories', 'statistics', 'queries', 'delayed_queries', 'workload_queues', 'license'];

/** Returns a configuration in which one poll confirms a status, with only the rule about services. */
export function settingsFor({ nodes, receivers, stateDir, changed }: Addresses): object {
  const configured = receivers.flatMap((receiver) => withChange(receiver, changed));
  const routed = configured.map(({ name }) => name).filter((name) => name !== fallbackReceiver);
  return {
    listen: '127.0.0.1:0',
    state_dir: stateDir,
    tracker: { confirm: 1, flapping: { on: 1, off: 0.9, changes: 10_000 } },
    clusters: [{ name: 'c', nodes, graphs: ['fraud'] }],
    collectors: { health: seldom, services: often, ...Object.fromEntries(idle.map((name) => [name, off])) },
    alerts: {
      receivers: configured.map(receiverSettings),
      routes: [{ receivers: routed, group_wait: '0s', repeat_interval: '1h', fallback: fallbackReceiver }],
      rules: {
        ...Object.fromEntries(rules.map(({ name }) => [name, off])),
        service_not_online: { for: '0s', keep_firing_for: '0s' },
      },
    },
  };
}

function withChange(receiver: SimulatedReceiver, changed: ReceiverChange | undefined): readonly SimulatedReceiver[] {
  if (receiver.name !== changed?.receiver) return [receiver];
  return changed.change === 'remove' ? [] : [{ ...receiver, name: `${receiver.name}-renamed` }];
}

function receiverSettings({ name, kind, url }: SimulatedReceiver): object {
  if (kind === 'pagerduty') return { name, pagerduty: { url, routing_key: 'k'.repeat(32) } };
  if (kind === 'slack') return { name, slack: { webhook_url: url } };
  if (kind === 'webhook') return { name, webhook: { url } };
  return { name, alertmanager: { urls: [url] } };
}
