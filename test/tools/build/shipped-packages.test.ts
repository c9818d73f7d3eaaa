import { expect, it } from 'vitest';
import { shippedPackages } from '../../../tools/build/shipped-packages.ts';

const entry = { version: '1.0.0', license: 'MIT', integrity: 'sha512-AAAA' };
const lock = {
  packages: {
    'node_modules/@scope/a': { ...entry, dependencies: { b: '^2' } },
    'node_modules/b': { ...entry, version: '3.0.0' },
    'node_modules/@scope/a/node_modules/b': { ...entry, version: '2.0.0' },
    'node_modules/idle': entry,
  },
};

it('each package with a module in the bundle is found once, and no other package', () => {
  const code = `
// src/main.ts
// node_modules/b/index.js
	// node_modules/b/lib/more.js
// ../elsewhere/node_modules/@scope/a/node_modules/b/index.js
//#region node_modules/@scope/a/index.js
`;
  expect(shippedPackages(code, lock).map(({ path, name, version }) => [path, name, version])).toEqual([
    ['node_modules/@scope/a', '@scope/a', '1.0.0'],
    ['node_modules/@scope/a/node_modules/b', 'b', '2.0.0'],
    ['node_modules/b', 'b', '3.0.0'],
  ]);
});

it('the path of a package starts at the outermost node_modules, with or without folders before it', () => {
  const nested = 'node_modules/@scope/a/node_modules/b';
  for (const way of ['', '../../elsewhere/'])
    expect(shippedPackages(`// ${way}${nested}/index.js\n`, lock).map(({ path }) => path)).toEqual([nested]);
});

it('a package that is not in the lock file is rejected', () => {
  expect(() => shippedPackages('// node_modules/c/index.js\n', lock)).toThrow(
    'the lock file does not know node_modules/c',
  );
});

it('a bundle that names no module, such as a minified one, is rejected', () => {
  expect(() => shippedPackages('const a=1;\n', lock)).toThrow('no module of a package is named');
});

it('a comment with the name of a folder is ignored', () => {
  const code = '// node_modules/b/index.js\n// look into node_modules/idle/index.js\n';
  expect(shippedPackages(code, lock).map(({ name }) => name)).toEqual(['b']);
});
