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

it('tuneHeap limits the growth of the space for new objects', () => {
  expect(spaceAfter('')).toBeGreaterThan(8);
  expect(spaceAfter(`import { tuneHeap } from ${heap}; tuneHeap();`)).toBeLessThan(8);
});

it('process heap › enlarges the space for new objects by the number of nodes', () => {
  const grow = (nodes: number): string => `
    import { tuneForFleet, tuneHeap } from ${heap};
    tuneHeap();
    let ended = false;
    const clock = { sleep: () => new Promise(setImmediate) };
    const end = tuneForFleet({ nodes: ${nodes}, clock }, new AbortController().signal).then(() => (ended = true));
    const some = [];
    while (!ended) {
      for (let at = 0; at < 1000; at += 1) some.push({ at });
      await new Promise(setImmediate);
    }
    await end;`;
  expect(spaceAfter(grow(99))).toBeLessThan(4);
  expect(spaceAfter(grow(100))).toBeGreaterThanOrEqual(16);
  const space = spaceAfter(grow(200));
  expect(space).toBeGreaterThanOrEqual(4);
  expect(space).toBeLessThan(16);
});

/** Whether V8 optimizes a WebAssembly function that runs for long. */
function isWebAssemblyOptimized(first: string): boolean {
  const program = `
    ${first}
    const bytes = Buffer.from('AGFzbQEAAAABBgFgAX8BfwMCAQAHBQEBZgAAChIBEAADQCAAQQFrIgANAAsgAAs=', 'base64');
    const { f } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
    for (let turn = 0; turn < 200 && !%IsTurboFanFunction(f); turn += 1) {
      f(1_000_000);
      await new Promise(setImmediate);
    }
    console.log(%IsTurboFanFunction(f));`;
  const flags = ['--allow-natives-syntax', '--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' })) === true;
}

it('process heap › does not optimize WebAssembly', () => {
  expect(isWebAssemblyOptimized('')).toBe(true);
  expect(isWebAssemblyOptimized(`import { tuneHeap } from ${heap}; tuneHeap();`)).toBe(false);
});

/** Whether V8 uses its first optimizing compiler. */
function usesMaglev(first: string): boolean {
  const flags = [
    '--allow-natives-syntax',
    '--input-type=module',
    '--eval',
    `${first} console.log(%IsMaglevEnabled());`,
  ];
  return JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' })) === true;
}

it('process heap › uses one optimizing compiler', () => {
  expect(usesMaglev('')).toBe(true);
  expect(usesMaglev(`import { tuneHeap } from ${heap}; tuneHeap();`)).toBe(false);
});

it('process heap › optimizes no function of a daemon until that is enabled', () => {
  const program = `
    import { enableOptimizer, tuneHeap } from ${heap};
    tuneHeap(true);
    const double = (value) => value * 2;
    const isOptimized = () => {
      for (let turn = 0; turn < 1_000_000; turn += 1) double(turn);
      return %ActiveTierIsTurbofan(double);
    };
    const before = isOptimized();
    await enableOptimizer({ whenBusy: false });
    console.log(JSON.stringify([before, isOptimized()]));`;
  const flags = ['--allow-natives-syntax', '--no-concurrent-recompilation', '--input-type=module', '--eval', program];
  expect(JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' }))).toEqual([false, true]);
});
