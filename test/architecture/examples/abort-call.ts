import { abortFromOnePlace } from '../abort-call.ts';
import { type RuleExample, singleFileProjects } from './example.ts';

const imported = `import { createAbortCall } from './abort-call.ts';`;

/** Examples of the rule about the abort request. */
export const abortCallExamples: readonly RuleExample[] = [
  {
    rule: abortFromOnePlace,
    bad: [
      ...singleFileProjects(
        'src/graphdb/caller.ts',
        imported,
        `import type { AbortCall } from './abort-call.ts';`,
        `await import('./abort-call.ts');`,
        `type Call = import('./abort-call.ts').AbortCall;`,
        `export { createAbortCall } from './abort-call.ts';`,
      ),
      ...singleFileProjects('src/app/a.ts', `import { abortPath } from '../graphdb/abort-call.ts';`),
      ...singleFileProjects('tools/bench/a.ts', `import { createAbortCall } from '../../src/graphdb/abort-call.ts';`),
      ...singleFileProjects(
        'src/graphdb/calls.ts',
        `export const path = '/abortquery/{graph}';`,
        `// As abortquery does.`,
      ),
      ...singleFileProjects('src/graphdb/connect.ts', `const path = '/abortquery/fraud';`),
      ...singleFileProjects('src/guard/decision/lifecycle.ts', `const path = '/abortquery/';`),
      ...singleFileProjects(
        'src/guard/decision/output.ts',
        'export const path = (graph: string) => `/abortquery/${graph}`;',
      ),
    ],
    good: [
      ...singleFileProjects('src/graphdb/connect.ts', imported),
      ...singleFileProjects('test/graphdb/a.ts', `import { abortPath } from '../../src/graphdb/abort-call.ts';`),
      ...singleFileProjects('src/app/a.ts', `import type { AbortReply } from '../graphdb/abort-reply.ts';`),
      ...singleFileProjects('src/graphdb/abort-call.ts', `const path = '/abortquery/';`),
      ...singleFileProjects('src/simulator/routes.ts', `const path = '/restpp/abortquery/{graph}';`),
      ...singleFileProjects('src/app/b.ts', `export const abort = 'query';`),
    ],
  },
];
