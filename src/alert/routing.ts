import type { Millis } from '../kernel/time.ts';
import type { Destination, ReceiverTraits } from '../model/alert.ts';
import type { RouteSettings } from './alerting.ts';
import { matches } from './match.ts';

/** Where an alert goes, and how often it is repeated there. */
export interface Target extends Destination {
  /** 0: never. */
  readonly repeat: Millis;
}

/** How often the dead-man's heartbeat beats. */
const heartbeat: Millis = 60_000;

/** The receivers of an alert with these labels, each once. `troubled` is the receiver that the alert is about, if any. */
export function targetsOf(
  labels: Readonly<Record<string, string>>,
  routes: readonly RouteSettings[],
  receivers: readonly ReceiverTraits[],
  troubled?: string,
): readonly Target[] {
  const targets = new Map<string, Target>();
  for (const route of routes) {
    if (!matches(route.match, labels)) continue;
    for (const target of targetsIn(route, labels))
      if (!targets.has(target.receiver)) targets.set(target.receiver, target);
    if (!route.goesOn) break;
  }
  return aroundTrouble([...targets.values()], troubled, receivers);
}

/** The same and these receivers, of those that there are: they are told at once, also where a route would have them wait. */
export function withNamed(
  targets: readonly Target[],
  named: readonly string[],
  receivers: readonly ReceiverTraits[],
): readonly Target[] {
  const routed = targets.map((target) => (named.includes(target.receiver) ? { ...target, groupWait: 0 } : target));
  const others = receivers.filter(
    ({ name }) => named.includes(name) && targets.every(({ receiver }) => receiver !== name),
  );
  return [...routed, ...others.map(({ name }) => atOnce(name))];
}

/** The heartbeat goes to those who ask for it and to nobody else. */
export function heartbeatTargets(receivers: readonly ReceiverTraits[]): readonly Target[] {
  return receivers.filter((receiver) => receiver.heartbeat).map(({ name }) => ({ ...atOnce(name), repeat: heartbeat }));
}

function targetsIn(
  { receivers, groupBy, groupWait, repeat, fallback }: RouteSettings,
  labels: Readonly<Record<string, string>>,
): readonly Target[] {
  const group = Object.fromEntries(groupBy.map((name) => [name, labels[name] ?? '']));
  const common = { group, groupWait, repeat, ...(fallback === undefined ? {} : { fallback }) };
  return receivers.map((receiver) => ({ receiver, ...common }));
}

/** That a receiver is in trouble is told to others; where no route leads to another, to all of them. */
function aroundTrouble(
  targets: readonly Target[],
  troubled: string | undefined,
  receivers: readonly ReceiverTraits[],
): readonly Target[] {
  if (troubled === undefined) return targets;
  const others = targets.filter(({ receiver }) => receiver !== troubled).map((target) => without(target, troubled));
  if (others.length > 0) return others;
  return receivers.filter(({ name }) => name !== troubled).map(({ name }) => atOnce(name));
}

/** Where no route says how: alone, and once. */
function atOnce(receiver: string): Target {
  return { receiver, group: {}, groupWait: 0, repeat: 0 };
}

function without({ fallback, ...target }: Target, troubled: string): Target {
  return fallback === undefined || fallback === troubled ? target : { ...target, fallback };
}
