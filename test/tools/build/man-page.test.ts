import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { commands } from '../../../src/cli/commands/all.ts';
import { manPage } from '../../../tools/build/man-page.ts';
import { findTool } from '../../support/tools.ts';

const page = await manPage('1.2.3');

it('the manual page has every command with its options', () => {
  for (const { name } of commands) expect(page).toContain(`.SS ${name.replaceAll('-', '\\-')}\n`);
  expect(page).toContain('.B \\-\\-owner USER[:GROUP]\n');
  expect(page).toContain('"graphwarden 1.2.3"');
});

it.skipIf(findTool('groff') === undefined)('the manual page is formatted without warnings', () => {
  const formatted = execFileSync('groff', ['-man', '-Tutf8', '-ww', '-P-c', '-rLL=100n'], {
    input: page,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  expect(formatted).toContain('graphwarden check-config');
});
