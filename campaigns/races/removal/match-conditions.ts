import { edit, inRacesOf, type RemovedCondition, singleEdit } from './removed-condition.ts';

/** Conditions of the guard on which queries match, and since when. */
export const matchConditions: readonly RemovedCondition[] = [
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
  {
    name: 'clock offset',
    kinds: ['guard clock step', 'hours'],
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
    'hours',
    'guard/matcher.ts',
    'policy.active === undefined ? always : windowTiming(policy.active, input.now.wall)',
    'windowTiming === undefined ? undefined : always',
  ),
  singleEdit(
    'confirmation after a reload',
    'guard/decision/create-guard.ts',
    'return [node, keeps ?',
    'return [node, keeps !== null ?',
  ),
  inRacesOf(
    ['mixed nodes'],
    singleEdit(
      'groups of covered nodes',
      'guard/matcher.ts',
      'input.countsInGroups(candidate) && test.timing(',
      'test.timing(',
    ),
  ),
  singleEdit(
    'age bound by the lists',
    'guard/decision/node-view.ts',
    'const isTooOld = startEstimate.isOverstated && least > seen;',
    'const isTooOld = startEstimate.isOverstated && least === null;',
  ),
  inRacesOf(
    ['wrong ages'],
    singleEdit(
      'age bound by the clock of the node',
      'guard/decision/node-view.ts',
      'const isContradicted = candidate === undefined || !isSupported(observation.id);',
      'const isContradicted = candidate === null && isSupported === null;',
    ),
  ),
  inRacesOf(
    ['node clock steps'],
    singleEdit(
      'age bound by later lists',
      'guard/decision/node-view.ts',
      'return known.isOverstated || observation.elapsed <= most ?',
      'return known.isOverstated || most !== null ?',
    ),
  ),
  {
    name: 'gate freshness',
    kinds: ['pressure'],
    edits: [
      edit('guard/gates.ts', 'if (before !== undefined && collectedAt <= before.collectedAt) return before;', ''),
      edit(
        'guard/gates.ts',
        'freshUntil({ collectedAt, interval }: Pressure): Millis {\n  return collectedAt +',
        'freshUntil({ at, interval }: Pressure): Millis {\n  return at +',
      ),
    ],
  },
  inRacesOf(
    ['rounded ages'],
    singleEdit(
      'rounding of ages',
      'guard/candidate.ts',
      'return elapsed % rounding === 0 ? rounding : 0;',
      'return elapsed % rounding === 0 ? 0 : 0;',
    ),
  ),
  singleEdit(
    'exception',
    'guard/conditions.ts',
    'const exception = unless === undefined ? undefined : compileException(unless);',
    'const exception = unless === null ? compileException(unless) : undefined;',
  ),
  inRacesOf(
    ['group conditions'],
    singleEdit('kept oldest query', 'guard/decision/guard-conditions.ts', `['kept_oldest', isKeptOldest],`, ''),
  ),
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
    'mode',
    'guard/policy.ts',
    `return guard.mode === 'enforce' && policy.mode === 'enforce' ? 'enforce' : 'observe';`,
    `return guard.mode === 'enforce' ? 'enforce' : policy.mode;`,
  ),
];
