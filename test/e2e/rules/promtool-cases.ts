import type { RuleGroup } from '../../../tools/generate/rules/rule-file.ts';
import type { RuleCase, SeriesSet, SeriesValues } from './rule-case.ts';

/** What the alert does at the end of a phase. */
type Shown = 'never fired' | 'did not fire in it' | 'is over' | 'fires' | 'fires throughout';

/** A stretch of a case. */
interface Phase {
  readonly setup: SeriesSet;
  readonly minutes: number;
  /** Instead of going on: a failed scrape, which takes all series away, or a restart, after which counters begin at 0. */
  readonly begins?: 'scrape failed' | 'restarted';
  readonly shows?: Shown;
}

/** One test of promtool. */
interface PromtoolCase {
  readonly name: string;
  readonly interval: string;
  readonly input_series: readonly { readonly series: string; readonly values: string }[];
  readonly promql_expr_test: readonly Check[];
}

interface Check {
  readonly expr: string;
  readonly eval_time: string;
  readonly exp_samples: readonly { readonly labels: string; readonly value: number }[];
}

/** Two graphwardens behind one service, as a Prometheus operator labels what it scrapes. */
const pods = ['graphwarden-0', 'graphwarden-1'];
/** Samples that are missing while a scrape fails, or while graphwarden starts again. */
const missing = { 'scrape failed': 1, restarted: 2 };

/** Minutes for which a case goes on after a restart and after a failed scrape. */
const disturbedFor = { calm: 10, active: 5 } as const;

/** The cases of a story, and one for each scene that is none of its business. What has the same beginning is one case. */
export function casesOf(story: RuleCase): readonly PromtoolCase[] {
  const { healthy, bad, nearMiss, before = 10, firesWithin, resolvesWithin, staysResolved, tooShort } = story;
  const { nearAfter = before, nearFor = firesWithin + 10 } = story;
  const calm: Phase = { setup: healthy, minutes: before };
  const active: Phase = { setup: bad, minutes: firesWithin };
  const begun: readonly Phase[] = [
    { ...calm, shows: 'is over' },
    { ...active, shows: 'fires' },
  ];
  const over: readonly Phase[] = [...begun, { setup: healthy, minutes: resolvesWithin, shows: 'is over' }];
  const quiet = (name: string, ...phases: readonly Phase[]) =>
    caseOf(name, story, [...phases.slice(0, -1), ...phases.slice(-1).map((last) => ({ ...last, shows: never }))]);
  const goingOn: Phase = { ...active, minutes: disturbedFor.active, shows: 'fires throughout' };
  return [
    caseOf('fires and resolves', story, [
      ...over,
      ...(staysResolved === undefined ? [] : [remainsOver(healthy, staysResolved)]),
    ]),
    quiet('near miss', { ...calm, minutes: nearAfter }, { setup: nearMiss, minutes: nearFor }),
    quiet('disturbed: nothing fires', calm, ...disturbed({ ...calm, minutes: disturbedFor.calm })),
    caseOf('disturbed: it goes on', story, [...begun, ...disturbed(goingOn)]),
    ...(tooShort === undefined ? [] : [quiet('too short', calm, { ...active, minutes: tooShort }, calm)]),
    ...(story.unrelated ?? []).map((setup) =>
      quiet('none of its business', calm, { setup, minutes: firesWithin + 10 }),
    ),
  ];
}

const never: Shown = 'never fired';

/** Returns a phase twice: after a restart, and after a failed scrape. */
function disturbed(phase: Phase): readonly Phase[] {
  return [
    { ...phase, begins: 'restarted' },
    { ...phase, begins: 'scrape failed' },
  ];
}

/** An old count does not fire again after a failed scrape. */
function remainsOver(setup: SeriesSet, minutes: number): Phase {
  return { setup, minutes, begins: 'scrape failed', shows: 'did not fire in it' };
}

function caseOf(name: string, story: RuleCase, phases: readonly Phase[]): PromtoolCase {
  const { every = 15, alert, labels } = story;
  const own = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  let samples = 0;
  const checks = phases.flatMap((phase) => {
    const first = samples;
    samples += samplesIn(phase.minutes, every);
    return checksOf(phase, story, first, samples - 1);
  });
  return {
    name: `${alert} ${own.join(' ')}: ${name}`,
    interval: `${every}s`,
    input_series: seriesOf(phases, every),
    promql_expr_test: checks,
  };
}

/** Returns the checks of a phase with these samples. */
function checksOf({ shows, minutes }: Phase, story: RuleCase, first: number, last: number): readonly Check[] {
  const { every = 15, alert, labels, perTarget } = story;
  const own = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const firing = `ALERTS{${[`alertname="${alert}"`, 'alertstate="firing"', ...own.filter(isOfRule)].join(', ')}}`;
  const alertLabels = [`alertname="${alert}"`, 'alertstate="firing"'];
  const each = perTarget === true ? pods.map((pod) => [...own.filter(isOfRule), ...targetOf(pod)]) : [own];
  const fires = each.map((identity) => ({ labels: `ALERTS{${[...alertLabels, ...identity].join(', ')}}`, value: 1 }));
  const at = (sample: number): string => `${sample * every}s`;
  const within = (length: number): Check => ({
    expr: `max_over_time(${firing}[${length}m])`,
    eval_time: at(last),
    exp_samples: [],
  });
  const checks: Readonly<Record<Shown, () => readonly Check[]>> = {
    'never fired': () => [within(30 * 1440)],
    'did not fire in it': () => [within(minutes)],
    'is over': () => [{ expr: firing, eval_time: at(last), exp_samples: [] }],
    fires: () => [{ expr: firing, eval_time: at(last), exp_samples: fires }],
    'fires throughout': () =>
      Array.from({ length: last - first + 1 }, (_, after) => ({
        expr: firing,
        eval_time: at(first + after),
        exp_samples: fires,
      })),
  };
  return shows === undefined ? [] : checks[shows]();
}

/** Of the alerts of one name, those of this severity and these windows are meant. */
function isOfRule(matcher: string): boolean {
  return /^(?:severity|long|short)=/.test(matcher);
}

function samplesIn(minutes: number, every: number): number {
  return Math.ceil((minutes * 60) / every);
}

function seriesOf(phases: readonly Phase[], every: number): PromtoolCase['input_series'] {
  const names = [...new Set(phases.flatMap(({ setup }) => Object.keys(setup)))];
  return names.flatMap((name) =>
    pods.map((pod) => ({ series: scraped(name, pod), values: valuesOf(name, phases, every) })),
  );
}

/** With the labels that a scrape attaches, but for those that a story gives. To Prometheus an empty label is none. */
function scraped(name: string, pod: string): string {
  const [family = '', given = ''] = name.replace(/}$/, '').split('{');
  const own = given.split(',').filter((label) => label !== '' && !label.endsWith('=""'));
  const attached = targetOf(pod).filter((label) => !own.some((one) => one.startsWith(`${label.split('=')[0]}=`)));
  return `${family}{${[...own, ...attached].join(',')}}`;
}

function targetOf(pod: string): readonly string[] {
  const labels = { job: 'graphwarden', namespace: 'monitoring', service: 'graphwarden', endpoint: 'http' };
  const all = { ...labels, container: 'graphwarden', pod, instance: `${pod}:9916` };
  return Object.entries(all).map(([label, value]) => `${label}="${value}"`);
}

function valuesOf(name: string, phases: readonly Phase[], every: number): string {
  const values: (number | undefined)[] = [];
  let [count, from] = [0, 0];
  for (const [at, { setup, minutes, begins }] of phases.entries()) {
    const first = values.length;
    const gone = begins === undefined ? 0 : missing[begins];
    if (begins === 'restarted') count = 0;
    // A disturbance interrupts a course, which goes on afterwards.
    if (phases[at - 1]?.setup !== setup) from = first;
    while (values.length < first + samplesIn(minutes, every)) {
      const course = setup[name];
      const sample = values.length;
      if (typeof course === 'object' && 'grows' in course) count += (course.grows * every) / 60;
      const isMissing = sample < first + gone;
      values.push(isMissing ? undefined : valueAt(course, { sample: sample - from, now: sample * every, count }));
    }
  }
  return written(values);
}

function valueAt(
  course: SeriesValues | undefined,
  { sample, now, count }: { readonly sample: number; readonly now: number; readonly count: number },
): number | undefined {
  if (course === undefined || typeof course === 'number') return course;
  if (typeof course === 'function') return course(sample);
  return 'ago' in course ? now - course.ago : count;
}

/**
 * Returns groups without the texts of alerts. Prometheus fills them in for each alert at each evaluation, which takes a sixth
 * of its time; `texts.test.ts` tests them.
 */
export function withoutTexts(groups: readonly RuleGroup[]) {
  return groups.map(({ name, rules }) => ({
    name,
    rules: rules.map((rule) => ('alert' in rule ? { ...rule, annotations: {} } : rule)),
  }));
}

/** Prometheus marks what is no longer on a page; that is what ends a series at once. */
export function written(values: readonly (number | undefined)[]): string {
  const words = values.map((value, at) => {
    if (value !== undefined) return String(value);
    return values[at - 1] === undefined ? '_' : 'stale';
  });
  return words.join(' ');
}
