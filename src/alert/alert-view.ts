import type { Severity } from '../model/alert.ts';

/** An alert as people look at it. Times are ms since the epoch. */
export interface AlertView {
  /** The hash under which receivers know it; the same in every episode. */
  readonly key: string;
  /** 0 while it is pending. */
  readonly episode: number;
  readonly rule: string;
  readonly severity: Severity;
  readonly phase: 'pending' | 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** When what it tells of began, as far as is known. */
  readonly startsAt: number;
  /** Absent until it is resolved. */
  readonly endsAt?: number;
  /** Why nobody is told at present: the silence, the alert that explains it (by its key), or the window. */
  readonly silencedBy?: string;
  readonly inhibitedBy?: string;
  readonly maintenance?: string;
}
