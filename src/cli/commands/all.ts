import type { Command } from '../command.ts';
import { abort } from './abort.ts';
import { acknowledge } from './acknowledge.ts';
import { alertTest } from './alert-test.ts';
import { alerts } from './alerts.ts';
import { checkConfig } from './check-config.ts';
import { completion } from './completion.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { guardAudit } from './guard-audit.ts';
import { guardExplain } from './guard-explain.ts';
import { guardPause } from './guard-pause.ts';
import { guardRecord } from './guard-record.ts';
import { guardReplay } from './guard-replay.ts';
import { guardResetBreaker } from './guard-reset-breaker.ts';
import { guardResume } from './guard-resume.ts';
import { guardStatus } from './guard-status.ts';
import { healthcheck } from './healthcheck.ts';
import { init } from './init.ts';
import { queries } from './queries.ts';
import { run } from './run.ts';
import { silenceAdd } from './silence-add.ts';
import { silenceEnd } from './silence-end.ts';
import { silenceList } from './silence-list.ts';
import { transitions } from './transitions.ts';
import { unacknowledge } from './unacknowledge.ts';
import { version } from './version.ts';

/** All commands in the order of the help page. The first is the default. */
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
  acknowledge,
  unacknowledge,
  alertTest,
  silenceAdd,
  silenceList,
  silenceEnd,
  guardStatus,
  guardPause,
  guardResume,
  guardResetBreaker,
  guardExplain,
  guardAudit,
  guardRecord,
  guardReplay,
  healthcheck,
  completion,
  version,
];
