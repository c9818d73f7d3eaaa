import { abort } from './abort.ts';
import { alertTest } from './alert-test.ts';
import { alerts } from './alerts.ts';
import { checkConfig } from './check-config.ts';
import type { Command } from './command.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { guardCommands } from './guard.ts';
import { guardAudit } from './guard-audit.ts';
import { guardExplain } from './guard-explain.ts';
import { guardRecord } from './guard-record.ts';
import { guardReplay } from './guard-replay.ts';
import { healthcheck } from './healthcheck.ts';
import { init } from './init.ts';
import { queries } from './queries.ts';
import { run } from './run.ts';
import { silenceCommands } from './silence.ts';
import { transitions } from './transitions.ts';

/** Every subcommand; the first is the default. */
export const commands: readonly Command[] = [
  run,
  demo,
  init,
  checkConfig,
  doctor,
  transitions,
  queries,
  abort,
  alerts,
  alertTest,
  ...silenceCommands,
  guardExplain,
  guardAudit,
  ...guardCommands,
  guardRecord,
  guardReplay,
  healthcheck,
];
