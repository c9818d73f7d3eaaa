import { edit, inRacesOf, type RemovedCondition, singleEdit } from './removed-condition.ts';

/** Conditions of the guard on when an abort request is sent, and where. */
export const abortConditions: readonly RemovedCondition[] = [
  singleEdit(
    'fresh list',
    'guard/process-list.ts',
    'return age > Math.min(duration + listAgeSlack, maxListAge)',
    'return age > Number.POSITIVE_INFINITY',
  ),
  {
    name: 'instance tag',
    edits: [
      edit('guard/decision/guard-conditions.ts', `['not_covered', (input) => !isCovered(input)],`, ''),
      edit(
        'guard/process-list.ts',
        `return hasForeignEntries(answer.value.observations, instances) ? err('foreign_instance') : answer;`,
        'return answer;',
      ),
    ],
  },
  singleEdit(
    'cooldown',
    'guard/decision/guard-conditions.ts',
    `return { reason: 'cooldown', until: cooldownUntil(attempts, { policy: name, node, key }, cooldown) };`,
    'return undefined;',
  ),
  singleEdit(
    'budget of a node',
    'guard/decision/budgets.ts',
    `if (remainingBudget(perNode, onNode, now) < 1) return 'node';`,
    '',
  ),
  singleEdit(
    'budget of the cluster',
    'guard/decision/budgets.ts',
    `return remainingBudget(perCluster, others, now) < 1 ? 'cluster' : undefined;`,
    'return undefined;',
  ),
  {
    name: 'breaker same_query',
    edits: [
      edit('guard/decision/lifecycle.ts', 'if (tries < aborts ||', 'if (tries < Number.POSITIVE_INFINITY ||'),
      edit(
        'guard/decision/guard-conditions.ts',
        'since: now.mono - within }) >= aborts;',
        'since: now.mono - within }) > Number.MAX_VALUE;',
      ),
    ],
  },
  inRacesOf(
    ['pressure'],
    singleEdit(
      'breaker no_relief',
      'guard/decision/circuit-breakers.ts',
      'return count >= settings.noRelief.aborts ? openBreaker(next, policyBreakerKey(policy)) : next;',
      'return next;',
    ),
  ),
  {
    name: 'exclusion after an intent',
    edits: [
      edit('guard/decision/victim-selection.ts', 'return !state.excludedKeys.has(key) && !(mode', 'return !(mode'),
      edit(
        'guard/decision/lifecycle.ts',
        `(state.excludedKeys.has(decisionKey(decision.target)) && !isManual ? 'excluded' : undefined)`,
        '(isManual ? undefined : undefined)',
      ),
    ],
  },
  singleEdit(
    'final check after the commit',
    'guard/decision/lifecycle.ts',
    'return skipReason === undefined ? buildAbortCommand(input)',
    'return skipReason !== null ? buildAbortCommand(input)',
  ),
  inRacesOf(
    ['connection balancer'],
    singleEdit(
      'same connection',
      'guard/decision/lifecycle.ts',
      'connection: list.connection, id, graph });',
      `connection: list.connection.slice(0, 0), id, graph });`,
    ),
  ),
  inRacesOf(
    ['slow preparation'],
    singleEdit(
      'check in the turn of the write',
      'guard/decision/lifecycle.ts',
      `  const order = finalCheck(checkInputFor(decision, state, context));
  if (!order.ok) {
    const end = order.error`,
      `  const order = buildAbortCommand(checkInputFor(decision, state, context));
  if (!order.ok) {
    const end = order.error`,
    ),
  ),
  {
    name: 'longest interval of lists',
    edits: [
      edit(
        'model/list-time-share.ts',
        'const least = Math.min(0, duration - maxListInterval) * maxListTimeShare;',
        'const least = Number.NEGATIVE_INFINITY;',
      ),
      edit('model/list-time-share.ts', 'return Math.min(started + maxListInterval, ', 'return Math.max(started, '),
    ],
  },
  inRacesOf(
    ['shared nodes'],
    singleEdit(
      'node of two clusters',
      'guard/decision/coverage.ts',
      `if (sharedNodes.has(node)) return 'other_cluster';`,
      '',
    ),
  ),
  inRacesOf(
    ['other guard'],
    singleEdit(
      'pause for another guard',
      'guard/decision/foreign-aborts.ts',
      'if (inRow < inRowToPause && lost.filter(Boolean).length < lostToPause)',
      'if (inRow < Number.MAX_VALUE)',
    ),
  ),
  singleEdit('pause', 'guard/decision/guard-conditions.ts', `['paused', ({ isPaused }) => isPaused],`, ''),
  singleEdit(
    'unexpected id in the abort response',
    'guard/decision/outcomes.ts',
    'isUnexpected: aborted.some((one) => one !== id)',
    'isUnexpected: false',
  ),
  {
    // The check in the turn of the write looks at the audit, too.
    name: 'intent on disk',
    kinds: ['slow disk'],
    edits: [
      edit(
        'guard/decision/lifecycle.ts',
        `const order = decision.isOnDisk ? finalCheck(checkInputFor(decision, state, context)) : err('audit' as const);`,
        'const order = finalCheck(checkInputFor(decision, state, context));',
      ),
      edit('guard/decision/guard-conditions.ts', `['audit', ({ isAuditable }) => !isAuditable],`, ''),
    ],
  },
  inRacesOf(
    ['pauses', 'slow preparation'],
    singleEdit(
      'no abort during shutdown',
      'guard/decision/guard-conditions.ts',
      `['stopping', ({ isStopping }) => isStopping],`,
      '',
    ),
  ),
];
