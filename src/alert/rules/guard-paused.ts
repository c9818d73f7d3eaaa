import type { SelfRule } from '../rule.ts';
import { secondOf } from './abort-words.ts';
import { scrapedProcess } from './words.ts';

/** Why it holds still, by the words of the stop switch. */
const words: Readonly<Record<string, string>> = {
  operator: 'an operator paused it',
  file: 'its pause file is there, or cannot be read',
  signal: 'it was paused by a signal',
  unexpected_id: 'a server aborted a request that nobody had asked for',
  state_lost: 'what it did before could not be read',
};

/** Nobody chose these: a person has to know at once. */
const urgent = ['unexpected_id', 'state_lost'];
const urgently = `graphwarden_guard_paused_by{reason=~"${urgent.join('|')}"} == 1`;
/** The pause is of the process, the policies are of its clusters. */
const missed = `on (${scrapedProcess}) graphwarden_guard_mode{mode="enforce"} == 1`;

/** The guard is to act and holds still: forgotten, that is as good as having none. */
export const guardPaused: SelfRule = {
  name: 'guard_paused',
  about: 'The guard is to enforce policies and has been paused for long, or paused itself, which is critical at once.',
  scope: 'self',
  severity: 'warning',
  hold: 3_600_000,
  keepFiring: 60_000,
  thresholds: [],
  labels: [],
  summary: 'The guard is paused: nothing is aborted',
  description:
    'The guard has held still since {{when}}: {{why}}. No policy acts on any cluster until somebody says: graphwarden guard resume.',
  twin: `graphwarden_guard_paused == 1 and ${missed} unless on (${scrapedProcess}) ${urgently}`,
  otherTwins: [{ severity: 'critical', hold: 0, twin: `${urgently} and ${missed}` }],
  *judge({ guardPaused: paused }) {
    if (paused === undefined) return;
    const { since, reasons } = paused;
    const why = reasons.map((reason) => words[reason] ?? reason).join(', and ');
    const isUrgent = reasons.some((reason) => urgent.includes(reason));
    const haste = isUrgent ? ({ severity: 'critical', hold: 0 } as const) : {};
    yield { labels: {}, facts: { when: secondOf(since), why }, since, ...haste };
  },
};
