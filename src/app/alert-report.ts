import type { AlertView } from '../alert/alert-view.ts';
import type { Match, Silence } from '../alert/alerting.ts';
import { type Severity, severities } from '../model/alert.ts';

/** The phases of an alert, in the order in which people want to see them. */
export const phases = ['firing', 'pending', 'resolved'] as const;

/** An alert as the API and the terminal tell of it. */
export interface AlertReport {
  /** The same in every episode of it. */
  readonly key: string;
  /** 0 while it is pending. */
  readonly episode: number;
  /** `''` for what is wrong with ourselves. */
  readonly cluster: string;
  readonly rule: string;
  readonly severity: Severity;
  readonly phase: (typeof phases)[number];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string | null;
  /** Why nobody is told: the silence's id, the other alert's key, or the window's name. */
  readonly silencedBy: string | null;
  readonly inhibitedBy: string | null;
  readonly maintenance: string | null;
}

/** A silence as the API and the terminal tell of it. */
export interface SilenceReport {
  readonly id: string;
  readonly match: Match;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly author: string;
  readonly reason: string;
}

/** Alerts in the order of urgency: what fires first, the more severe first, the newest first. */
export function reportAlerts(views: readonly AlertView[]): readonly AlertReport[] {
  return views.toSorted((one, other) => rank(one) - rank(other) || other.startsAt - one.startsAt).map(reportAlert);
}

/** Tells of a silence. */
export function reportSilence({ id, match, startsAt, endsAt, author, reason }: Silence): SilenceReport {
  return { id, match, startsAt: momentText(startsAt), endsAt: momentText(endsAt), author, reason };
}

function reportAlert(view: AlertView): AlertReport {
  const { key, episode, rule, severity, phase, labels, annotations, startsAt, endsAt } = view;
  return {
    key,
    episode,
    cluster: labels.cluster_name ?? '',
    rule,
    severity,
    phase,
    labels,
    annotations,
    startsAt: momentText(startsAt),
    endsAt: endsAt === undefined ? null : momentText(endsAt),
    silencedBy: view.silencedBy ?? null,
    inhibitedBy: view.inhibitedBy ?? null,
    maintenance: view.maintenance ?? null,
  };
}

function rank({ phase, severity }: AlertView): number {
  return phases.indexOf(phase) * severities.length + severities.indexOf(severity);
}

function momentText(at: number): string {
  return new Date(at).toISOString();
}
