import type { AlertingInput, AlertingSettings, RuleSettings } from '../../src/alert/alerting.ts';
import { restoreAlerting } from '../../src/alert/alerting-store.ts';
import { createAlerting } from '../../src/alert/create-alerting.ts';
import { type AlertingState, emptyAlertingState } from '../../src/alert/incident.ts';
import type { ClusterRule, Rule, RuleFinding, SelfRule } from '../../src/alert/rule.ts';
import type { StoreChange } from '../../src/kernel/store.ts';
import type { AlertNotification, ReceiverTraits } from '../../src/model/alert.ts';
import type { CollectorView, Situation } from '../../src/model/situation.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { digest } from '../../src/runtime/system-ports.ts';

/** A rule whose verdicts a test gives, by the family `rule_<name>`: the labels of each fact. */
export function ruleOf(name: string, more: Partial<ClusterRule> = {}): ClusterRule {
  return {
    name,
    about: 'A test.',
    severity: 'warning',
    for: 0,
    keepFiringFor: 0,
    thresholds: [],
    labels: ['node'],
    summary: `${name} on {{node}} of {{cluster_name}}`,
    description: 'It is at {{value}}.',
    scope: 'cluster',
    needs: ['health'],
    families: [`rule_${name}`],
    evaluate: (situation) =>
      situation
        .samples(`rule_${name}`)
        .map(({ labels, value }): RuleFinding => ({ labels, facts: { value: String(value) } })),
    ...more,
  };
}

/** A rule about ourselves that finds what the receivers' results say. */
export function selfRuleOf(name: string, more: Partial<SelfRule> = {}): SelfRule {
  const { needs: _, families: __, ...described } = ruleOf(name);
  return {
    ...described,
    scope: 'self',
    labels: ['receiver'],
    evaluate: ({ receivers }) =>
      receivers.filter(({ failing }) => failing).map(({ receiver }) => ({ labels: { receiver }, facts: {} })),
    ...more,
  };
}

/** Default settings of a rule. */
export function settingsOf(rule: Rule, more: Partial<RuleSettings> = {}): RuleSettings {
  const { severity, for: hold, keepFiringFor, thresholds } = rule;
  const values = Object.fromEntries(thresholds.map(({ name, value }) => [name, value]));
  return { enabled: true, severity, for: hold, keepFiringFor, thresholds: values, labels: {}, templates: {}, ...more };
}

/** A route to these receivers that takes everything. */
export const catchAllRoute = {
  matchers: [],
  groupBy: [],
  groupWait: 0,
  groupInterval: 300_000,
  repeatInterval: 0,
  continues: false,
} as const;

/** Conditions of a cluster by rule and node, and whether its facts are fresh. */
export interface FiringRules {
  readonly rules: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
  readonly stale?: readonly string[];
  readonly cluster?: string;
  readonly value?: number;
  /** Labels of the cluster. */
  readonly labels?: Readonly<Record<string, string>>;
}

const testLabels = { env: 'test' };

function viewOf(node: string, fresh: boolean): CollectorView {
  return { collector: 'health', node, fresh, reason: '', message: '', interval: 5000, dueSince: 0 };
}

/** The situation of a cluster of m1 and m2. */
export function situationOf({
  rules,
  stale = [],
  cluster = 'prod',
  value = 1,
  labels = testLabels,
}: FiringRules): Situation {
  return {
    cluster,
    labels,
    nodes: ['m1', 'm2'],
    collectors: ['m1', 'm2'].map((node) => viewOf(node, !stale.includes(node))),
    replicas: [],
    partitions: [],
    tokens: [],
    guard: undefined,
    dropped: [],
    slope: () => undefined,
    recentMaximum: () => undefined,
    recentMinimum: () => undefined,
    samples: (family) => (rules[family.replace('rule_', '')] ?? []).map((found) => ({ labels: found, value })),
    isFresh: (_, node) => !stale.includes(node),
  };
}

/** Options of a test bed. */
export interface AlertingTestbedOptions {
  readonly rules: readonly Rule[];
  readonly settings?: Partial<AlertingSettings>;
  readonly receivers?: readonly ReceiverTraits[];
  readonly externalUrl?: string;
}

/** Alerting with a clock that a test turns, and a store that takes what it wants to be kept. */
export class AlertingTestbed {
  readonly #options: AlertingTestbedOptions;
  readonly store = memoryStore();
  state: AlertingState = emptyAlertingState;
  wall = Date.UTC(2026, 8, 22, 4, 53, 20);
  readonly notifications: AlertNotification[] = [];
  receivers: readonly ReceiverTraits[];
  /** Settings that differ from the defaults; a change is a reload. */
  settings: Partial<AlertingSettings>;
  #steps = 0;

  constructor(options: AlertingTestbedOptions) {
    this.#options = options;
    this.receivers = options.receivers ?? [{ name: 'chat', heartbeat: false }];
    this.settings = options.settings ?? {};
  }

  get now() {
    return { wall: this.wall, mono: this.wall - this.#steps - 1_700_000_000_000 };
  }

  /** Steps the wall clock, but not the monotonic clock. */
  stepClock(by: number): void {
    this.wall += by;
    this.#steps += by;
  }

  /** Advances the clock, evaluates once, and returns the notifications in short form. */
  async step(input: AlertingInput, after = 0): Promise<readonly string[]> {
    this.wall += after;
    const { rules, externalUrl } = this.#options;
    const { receivers, settings } = this;
    const own = Object.fromEntries(rules.map((rule) => [rule.name, settingsOf(rule)]));
    const whole: AlertingSettings = {
      routes: [{ ...catchAllRoute, receivers: receivers.map(({ name }) => name) }],
      maintenance: [],
      templates: {},
      ...settings,
      rules: { ...own, ...settings.rules },
    };
    const machine = createAlerting(rules, whole, {
      receivers,
      digest,
      ...(externalUrl === undefined ? {} : { externalUrl }),
    });
    const { state, outputs } = machine.step(this.state, input, this.now);
    this.state = state;
    const changes = outputs.flatMap((output): readonly StoreChange[] =>
      output.kind === 'change' ? [output.change] : [],
    );
    await this.store.commit(changes);
    const notices = outputs.flatMap((output) => (output.kind === 'notice' ? [output.notification] : []));
    this.notifications.push(...notices);
    return notices.map(describeNotification);
  }

  /** A look at a cluster, some time later. */
  evaluate(wrong: FiringRules, after = 0): Promise<readonly string[]> {
    return this.step({ kind: 'situation', situation: situationOf(wrong) }, after);
  }

  /** The process ends and another one begins, some time later. */
  async restart(after = 0): Promise<void> {
    this.wall += after;
    this.state = await restoreAlerting(this.store, this.now);
  }
}

/** `trigger calm_down m1 > chat, mail`, with `again` where it is a reminder. */
function describeNotification(notice: AlertNotification): string {
  const { rule, labels } = notice.alert;
  const isUpdate = notice.kind === 'trigger' && notice.isUpdate === true;
  const what = [
    notice.kind === 'trigger' && notice.isReminder ? 'again' : isUpdate ? 'update' : notice.kind,
    rule,
    labels.node ?? labels.receiver,
  ];
  const to = notice.kind !== 'trigger' ? [] : ['>', notice.to.map(({ receiver }) => receiver).join(', ')];
  return [...what, ...to].filter((word) => word !== undefined).join(' ');
}
