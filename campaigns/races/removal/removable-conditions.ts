/** Safety condition, with the edits that remove it from the sources. */
export interface RemovedCondition {
  readonly name: string;
  readonly edits: readonly Edit[];
}

/** Text that a file contains exactly once, with its replacement. */
export interface Edit {
  /** Below `src`. */
  readonly file: string;
  readonly text: string;
  readonly by: string;
}

/**
 * Safety conditions of the guard. That abort requests are not retried and follow no redirect is tested with the HTTP
 * client, which the simulation does not use.
 */
export const removableConditions: readonly RemovedCondition[] = [
  singleEdit(
    'id pattern',
    'graphdb/query-identity.ts',
    String.raw`/^\d{1,20}\.(RESTPP_\d{1,4}_\d{1,4})\.(\d{13})\.N$/`,
    String.raw`/(RESTPP_\d{1,4}_\d{1,4})\.(\d{13})/`,
  ),
  singleEdit('known graph', 'guard/decision/guard-conditions.ts', ' && knownGraphs.has(graph)', ''),
  singleEdit(
    'protect',
    'guard/conditions.ts',
    'tests.some((all) => all.every((test) => test(candidate) !== false))',
    'tests.length < 0 && candidate !== undefined',
  ),
  {
    name: 'installed only',
    edits: [
      edit(
        'guard/matcher.ts',
        `candidate.observation.kind === 'installed' && !isProtected(candidate)`,
        '!isProtected(candidate)',
      ),
      edit(
        'guard/decision/guard-conditions.ts',
        `['not_installed', ({ candidate, decision }) => !isVictimKind(candidate, decision)],`,
        '',
      ),
      edit('guard/decision/lifecycle.ts', `if (!isVictimKind(candidate, decision)) return err('not_installed');`, ''),
    ],
  },
  singleEdit(
    'two observations',
    'guard/confirmation.ts',
    'countedAt: started.mono, confirmedAt: undefined }',
    'countedAt: started.mono, confirmedAt: received.mono }',
  ),
  singleEdit(
    'age growth',
    'guard/confirmation.ts',
    'return isAlike && grewConsistently(last, seen) && grewConsistently(first, seen)',
    'return isAlike && grewConsistently !== undefined && first !== undefined',
  ),
  singleEdit(
    'fresh list',
    'guard/process-list.ts',
    'return age > Math.min(duration + listAgeSlack, maxListAge)',
    'return age > Number.POSITIVE_INFINITY',
  ),
  {
    name: 'instance tag',
    edits: [
      edit('guard/decision/guard-conditions.ts', `['not_covered', (question) => !isCovered(question)],`, ''),
      edit(
        'guard/process-list.ts',
        `return hasForeignEntries(answer.value.observations, instances) ? err('foreign_instance') : answer;`,
        'return answer;',
      ),
    ],
  },
  {
    name: 'clock offset',
    edits: [
      edit('guard/candidate.ts', 'if (offset === undefined) return undefined;', ''),
      edit(
        'guard/candidate.ts',
        'return observation.elapsed - ofId > tolerance ? undefined : Math.max(0, Math.min(observation.elapsed, ofId));',
        'return observation.elapsed;',
      ),
      edit('guard/candidate.ts', 'const ofId = received.wall - observation.arrivedAt - offset;', ''),
    ],
  },
  {
    name: 'grace',
    edits: [
      edit('guard/decision/victim-selection.ts', 'due: since + policy.grace', 'due: since'),
      edit('guard/decision/victim-selection.ts', 'due: matchedAt + policy.grace', 'due: matchedAt'),
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
  singleEdit(
    'breaker no_relief',
    'guard/decision/circuit-breakers.ts',
    'return count >= settings.noRelief.aborts ? openBreaker(next, policyBreakerKey(policy)) : next;',
    'return next;',
  ),
  {
    name: 'exclusion after an intent',
    edits: [
      edit('guard/decision/victim-selection.ts', 'return !state.excludedKeys.has(key) && !(mode', 'return !(mode'),
      edit(
        'guard/decision/lifecycle.ts',
        `(state.excludedKeys.has(decisionKey(decision.target)) && !isManual ? 'barred' : undefined)`,
        '(isManual ? undefined : undefined)',
      ),
    ],
  },
  singleEdit(
    'final check after the commit',
    'guard/decision/lifecycle.ts',
    'return skipReason === undefined ? buildAbortCommand(question)',
    'return skipReason !== null ? buildAbortCommand(question)',
  ),
  singleEdit(
    'hours',
    'guard/matcher.ts',
    'policy.active === undefined ? always : windowTiming(policy.active, situation.now.wall)',
    'windowTiming === undefined ? undefined : always',
  ),
  singleEdit(
    'confirmation after a reload',
    'guard/decision/create-guard.ts',
    'return [node, keeps ?',
    'return [node, keeps !== null ?',
  ),
  {
    name: 'groups of covered nodes',
    edits: [edit('guard/matcher.ts', 'situation.countsInGroups(candidate) && test.timing(', 'test.timing(')],
  },
  singleEdit(
    'age bound by the lists',
    'guard/decision/node-view.ts',
    'const isTooOld = startEstimate.isOverstated && least > seen;',
    'const isTooOld = startEstimate.isOverstated && least === null;',
  ),
  singleEdit(
    'age bound by later lists',
    'guard/decision/node-view.ts',
    'return known.isOverstated || observation.elapsed <= most ?',
    'return known.isOverstated || most !== null ?',
  ),
  singleEdit(
    'same connection',
    'guard/decision/lifecycle.ts',
    'connection: list.connection, id, graph });',
    `connection: list.connection.slice(0, 0), id, graph });`,
  ),
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
  singleEdit(
    'longest interval of lists',
    'model/list-time-share.ts',
    'return Math.min(maxListInterval, duration * intervalPerDuration);',
    'return duration * intervalPerDuration;',
  ),
  {
    name: 'gate freshness',
    edits: [
      edit('guard/gates.ts', 'if (before !== undefined && collectedAt <= before.collectedAt) return before;', ''),
      edit(
        'guard/gates.ts',
        'return { metSince, collectedAt, heldSince, freshUntil: collectedAt + interval * freshIntervals };',
        'return { metSince, collectedAt, heldSince, freshUntil: at + interval * freshIntervals };',
      ),
    ],
  },
  singleEdit(
    'rounding of ages',
    'guard/candidate.ts',
    'return elapsed % rounding === 0 ? rounding : 0;',
    'return elapsed % rounding === 0 ? 0 : 0;',
  ),
  singleEdit('pause', 'guard/decision/guard-conditions.ts', `['paused', ({ isPaused }) => isPaused],`, ''),
  {
    name: 'clock step',
    edits: [
      edit(
        'guard/decision/create-guard.ts',
        'const by = state.at === undefined ? 0 : clockStepBetween(state.at, now);',
        'const by: number = 0;',
      ),
      edit(
        'guard/decision/node-view.ts',
        `if (clockStepBetween(times.started, times.received) !== 0) return withRejectedList(view, 'clock_stepped');`,
        '',
      ),
      edit(
        'guard/process-list.ts',
        'Math.max(now.mono - started.mono, Math.abs(now.wall - started.wall))',
        'now.mono - started.mono',
      ),
    ],
  },
  singleEdit(
    'duplicate ids',
    'guard/process-list.ts',
    `if (answer.value.isRepeating) return err('duplicate_ids');`,
    '',
  ),
  singleEdit(
    'unexpected id in the abort response',
    'guard/decision/outcomes.ts',
    'isUnexpected: aborted.some((one) => one !== id)',
    'isUnexpected: false',
  ),
  singleEdit(
    'mode',
    'guard/policy.ts',
    `return guard.mode === 'enforce' && policy.mode === 'enforce' ? 'enforce' : 'observe';`,
    `return guard.mode === 'enforce' ? 'enforce' : policy.mode;`,
  ),
  singleEdit(
    'intent on disk',
    'guard/decision/lifecycle.ts',
    `const order = decision.isOnDisk ? finalCheck(checkInputFor(decision, state, context)) : err('audit' as const);`,
    'const order = buildAbortCommand(checkInputFor(decision, state, context));',
  ),
  singleEdit(
    'no abort during shutdown',
    'guard/decision/guard-conditions.ts',
    `['stopping', ({ isStopping }) => isStopping],`,
    '',
  ),
];

function singleEdit(name: string, file: string, text: string, by: string): RemovedCondition {
  return { name, edits: [edit(file, text, by)] };
}

function edit(file: string, text: string, by: string): Edit {
  return { file, text, by };
}

/**
 * Applies an edit to a file. Throws if the file does not contain the text exactly once, because the sources changed.
 */
export function applyEdit(content: string, { file, text, by }: Edit): string {
  if (content.split(text).length !== 2) throw new Error(`${file} does not contain exactly once: ${text}`);
  return content.replace(text, () => by);
}
