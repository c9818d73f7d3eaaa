const unreleased = '## Unreleased';

/** Returns the changelog with the unreleased changes as those of `version`, and with a new, empty section for the next ones. */
export function cutChangelog(changelog: string, version: string, date: string): string {
  if (sectionOf(changelog, version) !== undefined) throw new Error(`CHANGELOG.md already has a section for ${version}`);
  const changes = sectionOf(changelog, 'Unreleased');
  if (changes === undefined) throw new Error(`CHANGELOG.md has no section «${unreleased}»`);
  if (!changes.includes('\n- ')) throw new Error('CHANGELOG.md lists no unreleased changes');
  return changelog.replace(`${unreleased}\n`, `${unreleased}\n\n## ${version} (${date})\n`);
}

/** Returns the changes of a version without its heading. */
export function releaseNotes(changelog: string, version: string): string {
  const changes = sectionOf(changelog, version);
  if (changes === undefined) throw new Error(`CHANGELOG.md has no section for ${version}; run \`npm run release:cut\``);
  return `${changes.trim()}\n`;
}

/** Text of a section below its heading. */
function sectionOf(changelog: string, name: string): string | undefined {
  const section = changelog.split(/^## /m).find((one) => one.split(/\s/, 1)[0] === name);
  return section?.replace(/^.*\n/, '\n');
}
