import { below, type Rule } from './project.ts';

interface Home {
  readonly concept: string;
  readonly file: string;
  /** Matches code that does the same elsewhere. */
  readonly copy: RegExp;
}

const homes: readonly Home[] = [
  { concept: 'timestamps', file: 'src/kernel/timestamp.ts', copy: /\.toISOString\(/ },
  {
    concept: 'exponential backoff',
    file: 'src/kernel/backoff.ts',
    copy: /\* 2 \*\* [A-Za-z(]|Math\.min\([^\n]*\* 2[,)]/,
  },
  { concept: 'deadlines', file: 'src/kernel/deadline.ts', copy: /\.sleep\([^\n]*\)\.then\([^\n]*abort\(/ },
  { concept: 'serial queues', file: 'src/kernel/serial-queue.ts', copy: /(#?\w+) = (?:this\.)?\1\.then\(/ },
  { concept: 'Retry-After', file: 'src/kernel/retry-after.ts', copy: /headers\['retry-after'\]/ },
  { concept: 'two-unit durations', file: 'src/kernel/duration.ts', copy: /\)\{1,2\}\// },
  {
    concept: 'collector keys',
    file: 'src/model/collector-key.ts',
    copy: /JSON\.stringify\(\[\w*\.?cluster, \w*\.?collector, \w*\.?node\]\)/,
  },
  { concept: 'the 5 % bound of lists', file: 'src/model/list-time-share.ts', copy: /(?:= 0\.05|PerDuration = 20);/ },
];

/** A second implementation of one of these drifts from the first. */
export const keepSingleHomes: Rule = {
  name: 'backoff, deadlines, queues, keys, durations and times are implemented once',
  check: (project) =>
    homes.flatMap(({ concept, file, copy }) =>
      below(project, 'src')
        .filter(({ path, text }) => path !== file && copy.test(text))
        .map(({ path, text, lineAt }) => `${path}:${lineAt(text.search(copy))} use ${file} for ${concept}`),
    ),
};
