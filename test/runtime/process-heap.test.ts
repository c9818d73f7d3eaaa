import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const heap = JSON.stringify(new URL('../../src/runtime/process.ts', import.meta.url).href);

/** The largest that the space for new objects becomes in a process that keeps a million of them, in MiB. */
function spaceAfter(first: string): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    ${first}
    const kept = Array.from({ length: 1_000_000 }, (_, at) => ({ at }));
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    console.log(kept.length > 0 && space.space_size / 1_048_576);`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }));
}

it('keeps the space for new objects as it is', () => {
  expect(spaceAfter('')).toBeGreaterThan(16);
  expect(spaceAfter(`import { tuneHeap } from ${heap}; tuneHeap();`)).toBeLessThan(16);
});
