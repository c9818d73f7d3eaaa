import type { Board } from '../collect/board.ts';
import type { Config } from '../config/config.ts';
import type { Alerts } from './alerts.ts';
import type { AppPorts } from './app.ts';
import type { GuardWatch } from './guard-watch.ts';
import type { Incidents } from './incidents.ts';
import type { AppParts } from './parts.ts';
import type { Pipeline } from './pipeline.ts';
import type { Watch } from './watch.ts';

/** The running application as its routes see it: they look, and ask for a reload, and change nothing else. */
export interface Site {
  readonly ports: AppPorts;
  readonly parts: AppParts;
  readonly board: Board;
  readonly pipeline: Pipeline;
  readonly incidents: Incidents;
  readonly alerts: Alerts;
  readonly guard: GuardWatch;
  config(): Config;
  /** In the order of the configuration. */
  watches(): readonly Watch[];
  /** The first round of reads is over, well or badly, and the end has not begun. */
  isReady(): boolean;
  /** Beats are overdue for long: only a restart helps. */
  isStuck(): boolean;
}
