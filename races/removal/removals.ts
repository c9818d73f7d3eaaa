/** One condition of safety, and how it is taken out of the sources. */
export interface Removal {
  readonly name: string;
  readonly edits: readonly Edit[];
}

/** A text that is in a file exactly once, and what it becomes. */
export interface Edit {
  /** Below `src`. */
  readonly file: string;
  readonly text: string;
  readonly by: string;
}

/**
 * Each condition that keeps the guard from harm. Two more, that nothing is retried and no redirect followed, are
 * conditions of the client, which no race in simulated time goes through.
 */
export const removals: readonly Removal[] = [
  one(
    'id pattern',
    'graphdb/request-id.ts',
    String.raw`/^\d{1,20}\.(RESTPP_\d{1,4}_\d{1,4})\.(\d{13})\.N$/`,
    String.raw`/(RESTPP_\d{1,4}_\d{1,4})\.(\d{13})/`,
  ),
  one('known graph', 'guard/decision/abort-path.ts', ' || !knownGraphs.has(graph)', ''),
  one(
    'protect',
    'guard/conditions.ts',
    'tests.some((all) => all.every((test) => test(candidate)))',
    'tests.length < 0 && candidate !== undefined',
  ),
  {
    name: 'installed only',
    edits: [
      edit('guard/matcher.ts', `one.sighting.kind === 'installed' && !isProtected(one)`, '!isProtected(one)'),
      edit(
        'guard/decision/doubts.ts',
        `['not_installed', ({ candidate }) => candidate?.sighting.kind !== 'installed'],`,
        '',
      ),
      edit('guard/decision/order.ts', `if (kind !== 'installed') return err('not_installed');`, ''),
    ],
  },
  one(
    'two sightings',
    'guard/confirmation.ts',
    'countedAt: started.mono, confirmedAt: undefined }',
    'countedAt: started.mono, confirmedAt: received.mono }',
  ),
  one(
    'age growth',
    'guard/confirmation.ts',
    'return isAlike && grewInStep(last, seen) && grewInStep(first, seen)',
    'return isAlike && grewInStep !== undefined && first !== undefined',
  ),
  one(
    'fresh list',
    'guard/listing.ts',
    'return age > Math.min(duration + slack, oldestToActOn)',
    'return age > Number.POSITIVE_INFINITY',
  ),
  {
    name: 'instance tag',
    edits: [
      edit('guard/decision/doubts.ts', `['not_covered', (question) => !isCovered(question)],`, ''),
      edit(
        'guard/listing.ts',
        `return areForeign(answer.value.sightings, instances) ? err('foreign_instance') : answer;`,
        'return answer;',
      ),
    ],
  },
  {
    name: 'clock offset',
    edits: [
      edit('guard/age.ts', 'if (offset === undefined) return undefined;', ''),
      edit(
        'guard/age.ts',
        'return sighting.elapsed - ofId > tolerance ? undefined : Math.max(0, Math.min(sighting.elapsed, ofId));',
        'return sighting.elapsed;',
      ),
      edit('guard/age.ts', 'const ofId = received.wall - sighting.arrivedAt - offset;', ''),
    ],
  },
  {
    name: 'grace',
    edits: [
      edit('guard/decision/choosing.ts', 'due: since + policy.grace', 'due: since'),
      edit('guard/decision/choosing.ts', 'due: matchedAt + policy.grace', 'due: matchedAt'),
    ],
  },
  one(
    'cooldown',
    'guard/decision/holds.ts',
    `return { reason: 'cooldown', until: restUntil(attempts, { policy: name, node, key }, cooldown) };`,
    'return undefined;',
  ),
  one(
    'budget of a node',
    'guard/decision/attempts.ts',
    `if (remainingOf(perNode, onNode, now) < 1) return 'node';`,
    '',
  ),
  one(
    'budget of the cluster',
    'guard/decision/attempts.ts',
    `return remainingOf(perCluster, others, now) < 1 ? 'cluster' : undefined;`,
    'return undefined;',
  ),
  {
    name: 'breaker same_query',
    edits: [
      edit('guard/decision/advancing.ts', 'if (tries < aborts ||', 'if (tries < Number.POSITIVE_INFINITY ||'),
      edit(
        'guard/decision/holds.ts',
        'since: now.mono - within }) >= aborts;',
        'since: now.mono - within }) > Number.MAX_VALUE;',
      ),
    ],
  },
  one(
    'breaker no_relief',
    'guard/decision/breakers.ts',
    'return count >= settings.noRelief.aborts ? opened(next, policyBreaker(policy)) : next;',
    'return next;',
  ),
  {
    name: 'barring after an intent',
    edits: [
      edit('guard/decision/choosing.ts', 'return !state.barred.has(key) && !(mode', 'return !(mode'),
      edit(
        'guard/decision/advancing.ts',
        ` ?? (state.barred.has(decision.key) && !isByHand ? 'barred' : undefined)`,
        '',
      ),
    ],
  },
  one(
    're-check after the commit',
    'guard/decision/advancing.ts',
    'return doubt === undefined ? orderOf(question)',
    'return doubt !== null ? orderOf(question)',
  ),
  one(
    'hours',
    'guard/matcher.ts',
    'policy.active === undefined ? always : windowTiming(policy.active, scene.now.wall)',
    'windowTiming === undefined ? undefined : always',
  ),
  one(
    'confirmation after a reload',
    'guard/decision/create-guard.ts',
    'return [node, keeps ?',
    'return [node, keeps !== null ?',
  ),
  {
    name: 'groups of covered nodes',
    edits: [edit('guard/matcher.ts', 'scene.counts(candidate) && test.timing(', 'test.timing(')],
  },
  one(
    'age by our own lists',
    'guard/decision/overstated.ts',
    'const isTooOld = beginning.isOverstated && least > seen;',
    'const isTooOld = beginning.isOverstated && least === null;',
  ),
  one(
    'age by our own lists, later on',
    'guard/decision/overstated.ts',
    'return known.isOverstated || sighting.elapsed <= most ?',
    'return known.isOverstated || most !== null ?',
  ),
  one('pause', 'guard/decision/doubts.ts', `['paused', ({ isPaused }) => isPaused],`, ''),
  {
    name: 'clock step',
    edits: [
      edit(
        'guard/decision/create-guard.ts',
        'const by = state.at === undefined ? 0 : stepBetween(state.at, now);',
        'const by: number = 0;',
      ),
      edit(
        'guard/decision/view.ts',
        `if (stepBetween(times.started, times.received) !== 0) return voided(view, 'clock_stepped');`,
        '',
      ),
      edit(
        'guard/listing.ts',
        'Math.max(now.mono - started.mono, Math.abs(now.wall - started.wall))',
        'now.mono - started.mono',
      ),
    ],
  },
  one('duplicate ids', 'guard/listing.ts', `if (answer.value.isRepeating) return err('duplicate_ids');`, ''),
  one(
    'unexpected id in the answer',
    'guard/decision/outcomes.ts',
    'isUnexpected: aborted.some((one) => one !== id)',
    'isUnexpected: false',
  ),
  one(
    'mode',
    'guard/mode.ts',
    `return guard.mode === 'enforce' && policy.mode === 'enforce' ? 'enforce' : 'observe';`,
    `return guard.mode === 'enforce' ? 'enforce' : policy.mode;`,
  ),
  one(
    'intent on disk',
    'guard/decision/advancing.ts',
    `const order = decision.isOnDisk ? lastWord(questionOf(decision, state, context)) : err('audit' as const);`,
    'const order = orderOf(questionOf(decision, state, context));',
  ),
  one('the end', 'guard/decision/doubts.ts', `['stopping', ({ isStopping }) => isStopping],`, ''),
];

function one(name: string, file: string, text: string, by: string): Removal {
  return { name, edits: [edit(file, text, by)] };
}

function edit(file: string, text: string, by: string): Edit {
  return { file, text, by };
}

/** A file without a condition; it throws where the condition is not there just once, as the sources went on then. */
export function edited(content: string, { file, text, by }: Edit): string {
  if (content.split(text).length !== 2) throw new Error(`${file} does not have just once: ${text}`);
  return content.replace(text, () => by);
}
