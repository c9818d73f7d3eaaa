import type { FuzzTarget } from '../target.ts';
import { configurationTargets } from './configuration.ts';
import { guardTargets } from './guard.ts';
import { listenerTarget } from './listener.ts';
import { replyTargets } from './replies.ts';

/** All targets. */
export const targets: readonly FuzzTarget[] = [
  ...replyTargets,
  ...configurationTargets,
  ...guardTargets,
  listenerTarget,
];
