import type { Mode } from '../../../guard/policy.ts';
import { effectiveMode } from '../../../guard/policy.ts';
import { formatElapsed } from '../../../kernel/duration.ts';
import type { Instant, Millis } from '../../../kernel/time.ts';
import type { AbortOutcome, BreakerView } from '../../../model/guard.ts';
import type { DecisionView, PauseView } from '../../guard/guard-control.ts';
import { pauseReasonTexts } from '../../guard/guard-control.ts';
import type { GuardSupervisor } from '../../guard/guard-supervisor.ts';
import { type Statement, say, type Tone } from './statement.ts';
import { count, list, short } from './words.ts';

/** How the guard of one cluster stands. */
export interface GuardFacts {
  /** Those that concern the cluster, with what they come to. */
  readonly policies: readonly { readonly name: string; readonly mode: Mode }[];
  readonly pause: PauseView;
  readonly breakers: readonly BreakerView[];
  /** The latest first. */
  readonly decisions: readonly DecisionView[];
}

/** More than a page can use; the rest is counted, or asked for. */
const most = 3;
/** As long as the alert about it fires. */
const freshFor: Millis = 3_600_000;

const outcomes: Readonly<Record<AbortOutcome | 'open', readonly [tone: Tone, words: string]>> = {
  open: ['plain', 'is being aborted'],
  confirmed: ['plain', 'was aborted'],
  vanished: ['plain', 'is gone after its abort'],
  finished_first: ['plain', 'had ended before its abort'],
  not_aborted: ['plain', 'was not aborted by its server'],
  refused: ['warning', 'was not aborted: the server refused'],
  not_sent: ['warning', 'was not aborted: the request could not be sent'],
  withdrawn: ['plain', 'was not aborted: a last check failed'],
  still_running: ['bad', 'still runs after its abort'],
  unknown: ['bad', 'may still run after its abort'],
};

/** How the guard of a cluster stands; undefined where no policy concerns it. */
export function guardFactsOf(
  watch: Pick<GuardSupervisor, 'activeGuard' | 'paused'>,
  cluster: string,
  now: Instant,
): GuardFacts | undefined {
  const guard = watch.activeGuard(cluster);
  if (guard === undefined) return undefined;
  const policies = guard.policies.map((policy) => ({
    name: policy.name,
    mode: effectiveMode(guard.settings.guard, policy),
  }));
  return { policies, pause: watch.paused(), breakers: guard.breakers(), decisions: guard.decisions(now) };
}

/** «Aborts by runaway, observes by greedy», what holds it, and what it did of late. */
export function guardInWords(facts: GuardFacts | undefined, cluster: string, wall: number): readonly Statement[] {
  if (facts === undefined) return [];
  const { policies, pause, breakers, decisions } = facts;
  const isEnforcing = policies.some(({ mode }) => mode === 'enforce');
  return [
    standing(policies, isEnforcing && !pause.isPaused),
    ...pausedInWords(pause, isEnforcing),
    ...breakersInWords(breakers, cluster, wall),
    ...abortsInWords(decisions, wall),
  ];
}

function standing(policies: GuardFacts['policies'], isActing: boolean): Statement {
  const named = (wanted: Mode): readonly string[] => policies.filter(({ mode }) => mode === wanted).map(nameOf);
  const [enforcing, observing] = [named('enforce'), named('observe')];
  if (enforcing.length === 0) return say('plain', `Observes by ${list(observing)}: it aborts nothing by itself`);
  const rest = observing.length === 0 ? '' : `, observes by ${list(observing)}`;
  return say(isActing ? 'good' : 'plain', `Enforces ${list(enforcing)}${rest}`);
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function pausedInWords({ isPaused, reasons }: PauseView, isEnforcing: boolean): readonly Statement[] {
  if (!isPaused) return [];
  const hint = `${reasons.includes('file') ? 'Take the file away. ' : ''}graphwarden guard resume lets it go on.`;
  const why = list(reasons.map((reason) => pauseReasonTexts[reason]));
  return [say(isEnforcing ? 'warning' : 'plain', `Paused, and aborts nothing: ${why}`, hint)];
}

function breakersInWords(breakers: readonly BreakerView[], cluster: string, wall: number): readonly Statement[] {
  const rest = breakers.length - most;
  return [
    ...breakers.slice(0, most).map(({ key, reason, query, graph, policy, since }) => {
      const { what, why } = {
        same_query: { what: `${short(query)} of ${graph} is not aborted`, why: 'its clients repeated it' },
        no_relief: { what: `${policy} aborts nothing`, why: 'the pressure did not fall' },
        credential: { what: 'nothing is aborted', why: 'the server refused abort_auth' },
      }[reason];
      const hint = `When the cause is gone: graphwarden guard reset-breaker ${cluster} '${short(key)}'`;
      return say('bad', `A breaker is open: ${what}, since ${why}, for ${formatElapsed(wall - since)}`, hint);
    }),
    ...(rest > 0 ? [say('bad', `${count(rest, 'breaker')} more open`)] : []),
  ];
}

/** What was only observed was no abort; nor was what is on its way and may still come to nothing. */
function abortsInWords(decisions: readonly DecisionView[], wall: number): readonly Statement[] {
  const begun = decisions.filter(({ mode, phase }) => mode !== 'observe' && !['grace', 'fresh'].includes(phase));
  return begun.slice(0, most).map(({ query, graph, node, policy, at, outcome, endedAt = wall }) => {
    const [tone, words] = outcomes[outcome ?? 'open'];
    const decider = policy === '' ? 'by hand' : `by ${policy}`;
    const isFresh = wall - endedAt <= freshFor;
    return say(
      isFresh ? tone : 'plain',
      `${short(query)} of ${graph} on ${node} ${words} (${decider}, ${formatElapsed(wall - at)} ago)`,
    );
  });
}
