import { keepSingleHomes } from '../single-homes.ts';
import { type RuleExample, singleFileProjects } from './example.ts';

/** Examples for the rule that some concepts have one implementation. */
export const singleHomeExamples: readonly RuleExample[] = [
  {
    rule: keepSingleHomes,
    bad: [
      ...singleFileProjects(
        'src/app/a.ts',
        'export const text = new Date(at).toISOString();',
        'void clock.sleep(length, done.signal).then(() => late.abort());',
        'this.#queue = this.#queue.then(work);',
        'queue = queue.then(work);',
        `const wait = reply.headers['retry-after'];`,
        'const short = /^(?:\\d+[a-z]+){1,2}/.exec(text);',
        'const key = JSON.stringify([cluster, collector, node]);',
        'const key = JSON.stringify([place.cluster, place.collector, place.node]);',
        'const listTimeShare = 0.05;',
        'const wait = Math.min(longest, wait * 2);',
        'const wait = shortest * 2 ** failures;',
      ),
    ],
    good: [
      ...singleFileProjects('src/kernel/timestamp.ts', 'export const text = new Date(at).toISOString();'),
      ...singleFileProjects('src/kernel/serial-queue.ts', 'this.#last = this.#last.then(work);'),
      ...singleFileProjects(
        'src/app/a.ts',
        'const other = queue.then(work);',
        'const key = JSON.stringify([cluster, node]);',
        'await clock.sleep(length, signal);',
        'const size = 10 * 2 ** 30;',
      ),
      ...singleFileProjects('test/a.ts', 'export const text = new Date(at).toISOString();'),
    ],
  },
];
