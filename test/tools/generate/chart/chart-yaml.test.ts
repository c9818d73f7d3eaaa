import { describe, expect, it } from 'vitest';
import { chartChanges } from '../../../../tools/generate/chart/chart-yaml.ts';

const changelog = `# Changes

Of the chart.

## Unreleased

### Added

- A collector.
- A chart, with
  two lines.

### Fixed

- The image ends in time.
- A Kubernetesque thing.

### Thoughts

- About the chart.

## 0.0.9 (2026-01-31)

### Added

- An older chart.
`;

describe('the changes of the chart', () => {
  it('are the unreleased changes by kind, each on one line', () => {
    expect(chartChanges(changelog, '0.1.0')).toEqual([
      { kind: 'added', description: 'A chart, with two lines.' },
      { kind: 'fixed', description: 'The image ends in time.' },
    ]);
  });

  it('are those of the version if it has a section', () => {
    expect(chartChanges(changelog, '0.0.9')).toEqual([{ kind: 'added', description: 'An older chart.' }]);
  });

  it('are empty without entries', () => {
    expect(chartChanges('# Changes\n', '1.0.0')).toEqual([]);
    expect(chartChanges('# Changes\n\n## 1.0.0\n', '1.0.0')).toEqual([]);
  });
});
