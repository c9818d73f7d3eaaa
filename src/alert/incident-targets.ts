import type { ReceiverTraits } from '../model/alert.ts';
import type { RouteSettings } from './alerting.ts';
import type { Incident } from './incident.ts';
import { notifiedLabels } from './incident-content.ts';
import { alertTargets, type Target } from './routing.ts';

/** Finds the receivers of incidents. The targets of labels are cached, because most evaluations change no labels. */
export class IncidentTargets {
  readonly #routes: readonly RouteSettings[];
  readonly #receivers: readonly ReceiverTraits[];
  readonly #byLabels = new WeakMap<Incident['labels'], readonly Target[]>();

  constructor(routes: readonly RouteSettings[], receivers: readonly ReceiverTraits[]) {
    this.#routes = routes;
    this.#receivers = receivers;
  }

  /** Returns the targets of an incident, and those that its critical effects would have without it. */
  of(incident: Incident, effects: readonly Incident[]): readonly Target[] {
    if (effects.length === 0) return this.#targets(incident);
    const all = new Map(this.#targets(incident).map((target) => [target.receiver, target]));
    for (const effect of effects) {
      if (effect.severity !== 'critical') continue;
      for (const target of this.#targets(effect)) if (!all.has(target.receiver)) all.set(target.receiver, target);
    }
    return [...all.values()];
  }

  #targets(incident: Incident): readonly Target[] {
    const labels = notifiedLabels(incident);
    const known = this.#byLabels.get(labels);
    if (known !== undefined && incident.receivers.length === 0) return known;
    const targets = this.#route(incident, labels);
    this.#byLabels.set(labels, targets);
    return targets;
  }

  #route({ rule, cluster, identity, receivers: named }: Incident, labels: Incident['labels']): readonly Target[] {
    const failing = cluster === '' ? identity.receiver : undefined;
    const about = { rule, labels, named, ...(failing === undefined ? {} : { failing }) };
    return alertTargets(about, this.#routes, this.#receivers);
  }
}

/** Removes the notification times of removed receivers: a receiver that is added again is notified again. */
export function withoutRemovedReceivers(incident: Incident, receivers: readonly ReceiverTraits[]): Incident {
  const all = Object.entries(incident.notified);
  const kept = all.filter(([name]) => receivers.some((receiver) => receiver.name === name));
  return kept.length === all.length ? incident : { ...incident, notified: Object.fromEntries(kept) };
}
