import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { targets, testRoundsFor } from '../../../campaigns/mutate/targets.ts';
import { projectOf } from '../../architecture/project.ts';

describe('targets', () => {
  it('returns the files of the matcher and of the decision machine', () => {
    expect(targets()).toContain('src/guard/matcher.ts');
    expect(targets()).toContain('src/guard/decision/create-guard.ts');
    expect(targets().length).toBeGreaterThan(20);
  });

  it('returns files that exist', () => {
    expect(targets().filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('testRoundsFor', () => {
  const project = projectOf({
    'src/guard/candidate.ts': '',
    'src/guard/gates.ts': "import './candidate.ts';",
    'test/guard/candidate-query-age.test.ts': "import '../../src/guard/candidate.ts';",
    'test/guard/gates.test.ts': "import '../../src/guard/gates.ts';",
    'test/guard/match-inputs.ts': "import '../../src/guard/gates.ts';",
    'test/guard/differential.test.ts': "import './match-inputs.ts';",
    'test/guard/policy.test.ts': "import '../../src/guard/policy.ts';",
    'test/app/app.test.ts': "import '../../src/guard/candidate.ts';",
  });

  it("starts with a file's own tests and ends with the slow ones", () => {
    expect(testRoundsFor('src/guard/candidate.ts', project)).toEqual([
      { pace: 'short', tests: ['test/guard/candidate-query-age.test.ts'] },
      { pace: 'short', tests: ['test/guard/gates.test.ts'] },
      { pace: 'long', tests: ['test/guard/differential.test.ts'] },
    ]);
  });

  it('omits rounds without tests', () => {
    expect(testRoundsFor('test/guard/match-inputs.ts', project)).toEqual([
      { pace: 'long', tests: ['test/guard/differential.test.ts'] },
    ]);
    expect(testRoundsFor('src/guard/none.ts', project)).toEqual([]);
  });
});
