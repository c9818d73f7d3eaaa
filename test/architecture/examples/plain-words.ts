import { writePlainWords } from '../plain-words.ts';
import { type RuleExample, singleFileProjects } from './example.ts';

/** Examples of the rule about words. */
export const plainWordsExamples: readonly RuleExample[] = [
  {
    rule: writePlainWords,
    bad: [
      ...singleFileProjects(
        'src/kernel/a.ts',
        '/** Nobody is told. */\nconst a = 1;',
        "const a = 'the doubt of a node';",
      ),
      ...singleFileProjects(
        'src/kernel/a.ts',
        'const a = `left out: ${b}`;',
        'function courierOf() {}',
        'class A { #lane = 1; }',
      ),
      ...singleFileProjects('src/kernel/courier.ts', 'const a = 1;'),
    ],
    good: [
      ...singleFileProjects(
        'src/kernel/a.ts',
        '/** The wire calls it `episode`. */\nconst a = 1;',
        "const a = 'episode';",
      ),
      ...singleFileProjects(
        'src/kernel/a.ts',
        "const a = 'heartbeat accepted by the receiver';",
        'const guard_blind = 1;',
      ),
    ],
  },
];
