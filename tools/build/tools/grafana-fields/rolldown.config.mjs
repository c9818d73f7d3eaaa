/**
 * Makes one file of the program for each version of Grafana, with its library inside, and the script of the page that draws
 * a dashboard.
 */
import { readFileSync } from 'node:fs';

const versions = { 10.4: { '@grafana/data': 'grafana-data-10' }, 12.3: {} };

/** The library expects a browser when it is loaded, and one of its packages prints an advertisement. */
const browser = `globalThis.window ??= { addEventListener() {}, location: { search: '', href: '', pathname: '/' } };
console.info = () => {};`;

/** A style sheet becomes a script that adds it to the page. */
const styleSheets = {
  name: 'style-sheets',
  load(id) {
    if (!id.endsWith('.css')) return null;
    const text = JSON.stringify(readFileSync(id, 'utf8'));
    const code = `document.head.append(Object.assign(document.createElement('style'), { textContent: ${text} }));`;
    return { code, moduleType: 'js', moduleSideEffects: true };
  },
};

/** The data grid is written for React 19, in which a context is its own provider. */
const contextProviders = {
  name: 'context-providers',
  transform(code, id) {
    if (!id.includes('/react-data-grid/')) return null;
    return code.replaceAll(/(jsxs?\(\w+Context),/g, '$1.Provider,');
  },
};

const programs = Object.entries(versions).map(([version, alias]) => ({
  input: 'main.mjs',
  platform: 'node',
  resolve: { alias },
  treeshake: { moduleSideEffects: false },
  output: { file: `out/${version}.mjs`, format: 'esm', codeSplitting: false, banner: browser },
}));

const page = {
  input: 'page.mjs',
  platform: 'browser',
  moduleTypes: { '.woff2': 'dataurl' },
  plugins: [styleSheets, contextProviders],
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  output: { file: 'out/page.js', format: 'iife', codeSplitting: false, minify: true },
};

export default [...programs, page];
