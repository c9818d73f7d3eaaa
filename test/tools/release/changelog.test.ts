import { expect, it } from 'vitest';
import { cutChangelog, releaseNotes } from '../../../tools/release/changelog.ts';

const changelog = `# Changelog

## Unreleased

### Added

- A collector.

## 0.1.0 (2026-01-31)

- The first version.
`;

it('a version gets the unreleased changes, and the next ones a new section', () => {
  const cut = cutChangelog(changelog, '0.2.0', '2026-02-01');
  expect(cut).toContain(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-01)\n\n### Added\n\n- A collector.\n\n## 0.1.0',
  );
  expect(releaseNotes(cut, '0.2.0')).toBe('### Added\n\n- A collector.\n');
  expect(releaseNotes(cut, '0.1.0')).toBe('- The first version.\n');
});

it.each([
  ['a version that has a section', changelog, '0.1.0', 'CHANGELOG.md already has a section for 0.1.0'],
  [
    'a changelog without changes',
    '# Changelog\n\n## Unreleased\n',
    '0.2.0',
    'CHANGELOG.md lists no unreleased changes',
  ],
  ['a changelog without the section', '# Changelog\n', '0.2.0', 'CHANGELOG.md has no section «## Unreleased»'],
])('%s is refused', (_, text, version, message) => {
  expect(() => cutChangelog(text, version, '2026-02-01')).toThrow(message);
});

it('a version without a section has no notes', () => {
  expect(() => releaseNotes(changelog, '0.2.0')).toThrow('CHANGELOG.md has no section for 0.2.0');
});
