import { describe, expect, it } from 'vitest';
import { findTool, requireTool } from './tools.ts';

describe('the programs that tests need', () => {
  it('are found on the path', () => {
    expect(findTool('sh')).toMatch(/\/sh$/);
    expect(requireTool('sh')).toBe(findTool('sh'));
  });

  it('are skipped over where they lack', () => {
    expect(findTool('no-such-program', { PATH: '/bin' })).toBeUndefined();
  });

  it('fail a test run that has to be complete', () => {
    expect(() => findTool('no-such-program', { PATH: '', CI: 'true' })).toThrow('apt install no-such-program');
  });
});
