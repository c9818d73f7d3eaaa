import { describe, expect, it } from 'vitest';
import { chartChanges } from '../../../generate/chart/chart-changes.ts';

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

## 0.0.9

### Added

- An older chart.
`;

describe('the changes of the chart', () => {
  it('are what the newest section says of it, by kinds, each on one line', () => {
    expect(chartChanges(changelog)).toEqual([
      { kind: 'added', description: 'A chart, with two lines.' },
      { kind: 'fixed', description: 'The image ends in time.' },
    ]);
  });

  it('are none where nothing is listed', () => {
    expect(chartChanges('# Changes\n')).toEqual([]);
    expect(chartChanges('# Changes\n\n## 1.0.0\n')).toEqual([]);
  });
});
