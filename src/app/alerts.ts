import type { AlertView } from '../alert/alert-view.ts';
import type { AlertingInput, AlertingOutput, AlertingSettings, Silence } from '../alert/alerting.ts';
import { type Alerting, createAlerting } from '../alert/create-alerting.ts';
import type { AlertingState } from '../alert/episode.ts';
import { restoreAlerting } from '../alert/restore-alerting.ts';
import type { Rule } from '../alert/rule.ts';
import { alertsOf, silencesOf } from '../alert/views.ts';
import type { Digest } from '../kernel/digest.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Change, Store } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import type { Sample } from '../metric/metric.ts';
import type { Alert, Notice } from '../model/alert.ts';
import type { Deliverer } from '../notify/deliverer.ts';
import type { ReceiverSettings } from '../notify/settings.ts';

/** What alerting works with. */
export interface AlertsContext {
  readonly log: Logger;
  readonly store: Store;
  readonly digest: Digest;
  readonly rules: readonly Rule[];
  readonly deliverer: Deliverer;
  /** Hears of everything that is to be told, before it can be; absent where nobody traces. */
  readonly noticed?: ((notice: Notice) => void) | undefined;
}

/** The configuration that alerting and delivery go by. */
export interface AlertsSettings {
  readonly alerts: AlertingSettings & { readonly receivers: readonly ReceiverSettings[] };
  readonly externalUrl?: string;
  readonly clusters: readonly string[];
}

/** What came of a step: to be stored, and then to be let go, whether it could be stored or not. */
export interface Outcome {
  readonly changes: readonly Change[];
  /** What began or ended, whoever is told. */
  readonly news: readonly Alert[];
  release(): void;
}

/** Alerting with its state, and the outbox behind it. */
export class Alerts {
  readonly #context: AlertsContext;
  #machine: Alerting | undefined;
  #state: AlertingState | undefined;
  /** What was said in the log since the last reload: once is enough. */
  readonly #said = new Set<string>();

  constructor(context: AlertsContext) {
    this.#context = context;
  }

  /** Takes these settings from now on; at the first time, what is known and owed is read from the store. */
  async follow({ alerts, externalUrl, clusters }: AlertsSettings, now: Instant): Promise<Outcome> {
    const { store, digest, rules, deliverer } = this.#context;
    const link = externalUrl === undefined ? {} : { externalUrl };
    const isFirst = this.#state === undefined;
    this.#state ??= await restoreAlerting(store, now);
    if (isFirst) await deliverer.restore();
    await deliverer.reconfigure({ receivers: alerts.receivers, ...link });
    if (isFirst) deliverer.start();
    this.#said.clear();
    this.#machine = createAlerting(rules, alerts, { receivers: alerts.receivers, ...link, digest });
    return this.step({ kind: 'clusters', names: clusters }, now);
  }

  /** One step of alerting, and the plan of what it obliges us to tell. */
  step(input: AlertingInput, now: Instant): Outcome {
    if (this.#machine === undefined || this.#state === undefined) return nothing;
    const { state, outputs } = this.#machine.step(this.#state, input, now);
    this.#state = state;
    if (outputs.length === 0) return nothing;
    const notices = outputs.flatMap((output) => (output.kind === 'notice' ? [output.notice] : []));
    const { deliverer, noticed } = this.#context;
    for (const notice of notices) noticed?.(notice);
    const plan = deliverer.plan(notices, now);
    const changes = outputs.flatMap((output) => (output.kind === 'change' ? [output.change] : []));
    const news = outputs.flatMap((output) => (output.kind === 'episode' ? [output.alert] : []));
    for (const output of outputs) this.#note(output);
    return { changes: [...changes, ...plan.changes], news, release: () => plan.release() };
  }

  /** Alerts that are pending, firing, or resolved not long ago. */
  alerts(): readonly AlertView[] {
    return this.#state === undefined ? [] : alertsOf(this.#state);
  }

  /** Silences that hold or will. */
  silences(now: Instant): readonly Silence[] {
    return this.#state === undefined ? [] : silencesOf(this.#state, now);
  }

  /** What is shown of one cluster's alerts; `''` for alerts about ourselves. */
  samples(cluster: string): readonly Sample[] {
    return this.#state === undefined ? [] : [...(this.#machine?.samplesOf(this.#state, cluster) ?? [])];
  }

  #note(output: AlertingOutput): void {
    const { log } = this.#context;
    if (output.kind === 'template') {
      const { rule, message: reason } = output;
      this.#once(`${rule} ${reason}`, () => log.warn('a template fails, the plain text is sent', { rule, reason }));
    } else if (output.kind === 'crowded') {
      const { cluster, left } = output;
      const say = () =>
        log.error('too much is wrong to follow all of it, what is critical comes first', { cluster, left });
      this.#once(`crowded ${cluster}`, say);
    }
  }

  #once(what: string, say: () => void): void {
    if (this.#said.has(what)) return;
    this.#said.add(what);
    say();
  }
}

const nothing: Outcome = { changes: [], news: [], release: () => undefined };
