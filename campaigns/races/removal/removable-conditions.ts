import { abortConditions } from './abort-conditions.ts';
import { matchConditions } from './match-conditions.ts';
import type { RemovedCondition } from './removed-condition.ts';

/**
 * Safety conditions of the guard. That abort requests are not retried and follow no redirect is tested with the HTTP
 * client, which the simulation does not use.
 */
export const removableConditions: readonly RemovedCondition[] = [...matchConditions, ...abortConditions];
