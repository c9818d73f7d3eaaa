import type { RuleCase, SeriesScene, SeriesValues } from './rule-case.ts';

/** A stretch of a case. */
interface Phase {
  readonly setup: SeriesScene;
  readonly minutes: number;
  /** Instead of going on: a failed scrape, which takes all series away, or a restart, after which counters begin at 0. */
  readonly begins?: 'scrape failed' | 'restarted';
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

/** The five cases of a story, and one for each scene that is none of its business. */
export function casesOf(story: RuleCase): readonly PromtoolCase[] {
  const { well, bad, near, before = 10, firesWithin, resolvesWithin } = story;
  const { nearAfter = before, nearFor = firesWithin + 10, tooShort } = story;
  const calm: Phase = { setup: well, minutes: before };
  const trouble: Phase = { setup: bad, minutes: firesWithin };
  const { staysOver } = story;
  const over: Phase = { setup: well, minutes: resolvesWithin };
  const quiet = (name: string, ...phases: readonly Phase[]) => caseOf(name, story, phases, { silent: 30 * 1440 });
  const interrupted = (begins: 'scrape failed' | 'restarted') => [
    quiet(`${begins}: nothing fires`, calm, { ...calm, minutes: 10, begins }),
    caseOf(`${begins}: it goes on`, story, [calm, trouble, { ...trouble, minutes: 5, begins }], { throughout: 5 }),
  ];
  return [
    caseOf('fires', story, [calm, trouble], { throughout: 0 }),
    quiet('near miss', { ...calm, minutes: nearAfter }, { setup: near, minutes: nearFor }),
    caseOf('resolves', story, [calm, trouble, over], {}),
    ...interrupted('restarted'),
    ...interrupted('scrape failed'),
    ...(staysOver === undefined ? [] : [remainsOver(story, [calm, trouble, over], staysOver)]),
    ...(tooShort === undefined ? [] : [quiet('too short', calm, { ...trouble, minutes: tooShort }, calm)]),
    ...(story.elsewhere ?? []).map((setup) =>
      quiet('none of its business', calm, { setup, minutes: firesWithin + 10 }),
    ),
  ];
}

/** Returns the case that an old count does not fire again. */
function remainsOver(story: RuleCase, phases: readonly Phase[], minutes: number): PromtoolCase {
  const gap: Phase = { setup: story.well, minutes, begins: 'scrape failed' };
  return caseOf('scrape failed: it stays over', story, [...phases, gap], { silent: minutes });
}

interface Expectation {
  /** It has not fired at any moment of so many minutes before the end. */
  readonly silent?: number;
  /** It fires at the end and has in all these last minutes; without either it no longer does at the end. */
  readonly throughout?: number;
}

function caseOf(
  name: string,
  story: RuleCase,
  phases: readonly Phase[],
  { silent, throughout }: Expectation,
): PromtoolCase {
  const { every = 15, alert, labels, perTarget } = story;
  const last = phases.reduce((sum, { minutes }) => sum + samplesIn(minutes, every), 0) - 1;
  const own = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const firing = `ALERTS{${[`alertname="${alert}"`, 'alertstate="firing"', ...own.filter(isOfRule)].join(', ')}}`;
  const alertLabels = [`alertname="${alert}"`, 'alertstate="firing"'];
  const each = perTarget === true ? pods.map((pod) => [...own.filter(isOfRule), ...targetOf(pod)]) : [own];
  const fires = each.map((identity) => ({ labels: `ALERTS{${[...alertLabels, ...identity].join(', ')}}`, value: 1 }));
  const at = (sample: number): string => `${sample * every}s`;
  const begun = samplesIn(phases[0]?.minutes ?? 0, every) - 1;
  const before = { expr: firing, eval_time: at(begun), exp_samples: [] };
  const checks = (): readonly Check[] => {
    if (silent !== undefined) {
      return [{ expr: `max_over_time(${firing}[${silent}m])`, eval_time: at(last), exp_samples: [] }];
    }
    const end = { expr: firing, eval_time: at(last), exp_samples: throughout === undefined ? [] : fires };
    const onTheWay = Array.from({ length: samplesIn(throughout ?? 0, every) }, (_, back) => last - 1 - back);
    return [before, ...onTheWay.map((sample) => ({ expr: firing, eval_time: at(sample), exp_samples: fires })), end];
  };
  return {
    name: `${alert} ${own.join(' ')}: ${name}`,
    interval: `${every}s`,
    input_series: seriesOf(phases, every),
    promql_expr_test: checks(),
  };
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
  let count = 0;
  for (const { setup, minutes, begins } of phases) {
    const gone = begins === undefined ? 0 : missing[begins];
    if (begins === 'restarted') count = 0;
    for (let sample = 0; sample < samplesIn(minutes, every); sample += 1) {
      const course = setup[name];
      if (typeof course === 'object' && 'grows' in course) count += (course.grows * every) / 60;
      values.push(sample < gone ? undefined : valueAt(course, { sample, now: values.length * every, count }));
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

/** Prometheus marks what is no longer on a page; that is what ends a series at once. */
export function written(values: readonly (number | undefined)[]): string {
  const words = values.map((value, at) => {
    if (value !== undefined) return String(value);
    return values[at - 1] === undefined ? '_' : 'stale';
  });
  return words.join(' ');
}
