import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startChild } from '../../support/child.ts';
import { findTool } from '../../support/tools.ts';
import { temporaryStateDir } from './temporary-folder.ts';

const program = fileURLToPath(new URL('./busy-loop.ts', import.meta.url));

describe.skipIf(findTool('strace') === undefined)('a disk that takes half a second for each fsync', () => {
  it('a slow disk delays only callers of commit', async () => {
    // Other calls than these two are not slowed down (--seccomp-bpf).
    const slow = [
      '-D',
      '-f',
      '-qq',
      '--seccomp-bpf',
      '-o',
      '/dev/null',
      '-e',
      'inject=fsync,fdatasync:delay_enter=500ms',
    ];
    const child = startChild('strace', [...slow, process.execPath, program, temporaryStateDir(), '3']);
    expect(await child.ended).toBe(0);
    const { commits, during }: { readonly commits: readonly number[]; readonly during: readonly number[] } = JSON.parse(
      child.stdout(),
    );
    expect(commits).toHaveLength(3);
    expect(Math.min(...commits)).toBeGreaterThan(450);
    // A hundred fit into half a second. Who waits for the disk has none.
    expect(Math.min(...during)).toBeGreaterThan(10);
  });
});
