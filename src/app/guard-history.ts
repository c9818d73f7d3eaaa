import type { Decision } from '../guard/decision/decision.ts';
import type { GuardOutput, Intent } from '../guard/decision/output.ts';
import { isTentative } from '../guard/decision/phases.ts';
import type { GuardState } from '../guard/decision/state.ts';
import { breakerView } from '../guard/keeping/standing-rows.ts';
import type { Instant } from '../kernel/time.ts';
import type { AbortView, BreakerView, GuardView } from '../model/guard.ts';
import type { DecisionView } from './guard-control.ts';

/** Decisions that are over and still told of by the API; the audit has all of them. */
const kept = 1000;
/** How long rules are told of an abort that is over. */
const toldFor = 3_600_000;

type Past = Omit<DecisionView, 'phase'>;

/** What happened of late in the guard of one cluster, in the words of the API and of the rules. */
export class GuardHistory {
  readonly #cluster: string;
  /** By key, the latest last. */
  readonly #past = new Map<string, Past>();
  /** What holds up those that have begun and have no intent yet, by key. */
  readonly #held = new Map<string, Pick<Past, 'late'>>();
  readonly #breakers = new Map<string, BreakerView>();
  /** Nodes of which nothing is heard, and since when. */
  readonly #blind = new Map<string, Omit<GuardView['blind'][number], 'reason'>>();
  /** Why the latest list of a node was void. */
  readonly #doubts = new Map<string, string>();

  constructor(cluster: string) {
    this.#cluster = cluster;
  }

  /** Takes what an earlier run has left behind, beside what is known of this one. */
  restore(aborts: readonly AbortView[], breakers: readonly BreakerView[]): void {
    const unknown = aborts.filter(({ key }) => !this.#past.has(key));
    for (const view of unknown.toReversed()) this.#keep({ ...view, cluster: this.#cluster, mode: modeOf(view) });
    for (const breaker of breakers) this.#breakers.set(breaker.key, breaker);
  }

  /** Notes what a step has told. */
  note(output: GuardOutput, now: Instant): void {
    if (output.kind === 'began') this.#held.set(output.key, {});
    else if (output.kind === 'cancelled') this.#held.delete(output.key);
    else if (output.kind === 'intent') this.#keep(pastOf(output.intent, output.notify));
    else if (output.kind === 'would_abort') {
      this.#keep({ ...pastOf(output.intent, []), mode: 'observe', endedAt: now.wall });
    } else if (output.kind === 'late') this.#hold(output.key, { late: output.reason });
    else if (output.kind === 'outcome') {
      const { key, outcome, at, doubt } = output;
      this.#change(key, { outcome, endedAt: at, ...(doubt === undefined ? {} : { doubt }) });
    } else if (output.kind === 'breaker') this.#turn(output.breaker, output.isOpen, now);
    else if (output.kind === 'void' && output.scope === 'node') this.#doubts.set(output.node, output.reason);
    else if (output.kind === 'blind') this.#see(output, now);
  }

  /** What rules may know. */
  view(now: Instant): GuardView {
    const aborts = [...this.#past.values()].filter(({ mode, endedAt }) => {
      return mode !== 'observe' && (endedAt === undefined || now.wall - endedAt <= toldFor);
    });
    const blind = [...this.#blind.values()].map((one) => ({ ...one, reason: this.#doubts.get(one.node) ?? '' }));
    return { aborts, breakers: this.breakers(), blind };
  }

  /** The breakers that are open. */
  breakers(): readonly BreakerView[] {
    return [...this.#breakers.values()];
  }

  /** What became of an intent so far. */
  abort(key: string): AbortView | undefined {
    return this.#past.get(key);
  }

  /** The same with how far it is, also of what a policy that observes would have done. */
  decision(key: string, { decisions }: Pick<GuardState, 'decisions'>): DecisionView | undefined {
    const past = this.#past.get(key);
    return past && { ...past, phase: decisions.get(key)?.phase ?? 'over' };
  }

  /** The latest first: what is under way, and what came of earlier ones. */
  decisions(state: GuardState, now: Instant): readonly DecisionView[] {
    const { decisions, views } = state;
    const waiting = [...decisions.values()].filter((one) => isTentative(one) || !this.#past.has(one.key));
    const begun = new Map(waiting.map((one) => [one.key, this.#begun(one, views, now)]));
    const past = [...this.#past.keys()]
      .filter((key) => !begun.has(key))
      .flatMap((key) => this.decision(key, state) ?? []);
    return [...past, ...begun.values()].toReversed();
  }

  /** Forgets nodes that are gone. */
  keepNodes(nodes: readonly string[]): void {
    for (const node of this.#blind.keys()) if (!nodes.includes(node)) this.#blind.delete(node);
  }

  #begun(decision: Decision, views: GuardState['views'], now: Instant): DecisionView {
    const { key, target, policy, manual, matchedAt, phase, late } = decision;
    const { node, id, graph, query } = target;
    const age = views.get(node)?.list?.candidates.get(id)?.age.least ?? 0;
    const mode: DecisionView['mode'] = manual === undefined ? decision.mode : 'manual';
    const told = { key, cluster: this.#cluster, node, id, graph, query, policy, mode, phase, notify: [] };
    const at = now.wall + matchedAt - now.mono;
    return { ...told, age, at, ...(late === undefined ? {} : { late }) };
  }

  #keep(past: Past): void {
    this.#past.delete(past.key);
    this.#past.set(past.key, { ...past, ...this.#held.get(past.key) });
    this.#held.delete(past.key);
    for (const [key, { endedAt }] of this.#past) {
      if (this.#past.size <= kept) break;
      if (endedAt !== undefined) this.#past.delete(key);
    }
  }

  #hold(key: string, news: Pick<Past, 'late'>): void {
    if (this.#held.has(key)) this.#held.set(key, news);
    else this.#change(key, news);
  }

  #change(key: string, news: Partial<Past>): void {
    const past = this.#past.get(key);
    if (past !== undefined) this.#past.set(key, { ...past, ...news });
  }

  #turn(key: string, isOpen: boolean, now: Instant): void {
    if (isOpen) this.#breakers.set(key, breakerView(key, now.wall));
    else this.#breakers.delete(key);
  }

  #see({ node, isBlind }: Extract<GuardOutput, { readonly kind: 'blind' }>, now: Instant): void {
    if (isBlind) this.#blind.set(node, { node, since: now.wall });
    else this.#blind.delete(node);
  }
}

function pastOf(intent: Intent, notify: readonly string[]): Past {
  const { key, cluster, node, id, graph, query, policy, at, manual } = intent;
  const { age, grantedTimeout, pressures } = intent.evidence;
  const told = { key, cluster, node, id, graph, query, policy, notify, at, age: age.least };
  return {
    ...told,
    mode: manual === undefined ? 'enforce' : 'manual',
    ...(manual === undefined ? {} : { manual }),
    ...(grantedTimeout === undefined ? {} : { grantedTimeout }),
    ...(Object.keys(pressures).length === 0 ? {} : { gated: true }),
  };
}

function modeOf({ manual }: AbortView): Past['mode'] {
  return manual === undefined ? 'enforce' : 'manual';
}
