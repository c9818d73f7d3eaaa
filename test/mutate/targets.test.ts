import { describe, expect, it } from 'vitest';
import { roundsFor, targets } from '../../mutate/targets.ts';
import { projectOf } from '../architecture/project.ts';

describe('the files', () => {
  it('are those of the matcher and of the machine', () => {
    expect(targets()).toContain('src/guard/matcher.ts');
    expect(targets()).toContain('src/guard/decision/create-guard.ts');
    expect(targets().length).toBeGreaterThan(30);
  });
});

describe('the rounds', () => {
  const project = projectOf({
    'src/guard/age.ts': '',
    'src/guard/gates.ts': "import './age.ts';",
    'test/guard/age.test.ts': "import '../../src/guard/age.ts';",
    'test/guard/gates.test.ts': "import '../../src/guard/gates.ts';",
    'test/guard/scenes.ts': "import '../../src/guard/gates.ts';",
    'test/guard/differential.test.ts': "import './scenes.ts';",
    'test/guard/mode.test.ts': "import '../../src/guard/mode.ts';",
    'test/app/app.test.ts': "import '../../src/guard/age.ts';",
  });

  it("begin with a file's own test and end with the long ones", () => {
    expect(roundsFor('src/guard/age.ts', project)).toEqual([
      { pace: 'short', tests: ['test/guard/age.test.ts'] },
      { pace: 'short', tests: ['test/guard/gates.test.ts'] },
      { pace: 'long', tests: ['test/guard/differential.test.ts'] },
    ]);
  });

  it('leave out what there is none of', () => {
    expect(roundsFor('test/guard/scenes.ts', project)).toEqual([
      { pace: 'long', tests: ['test/guard/differential.test.ts'] },
    ]);
    expect(roundsFor('src/guard/none.ts', project)).toEqual([]);
  });
});
