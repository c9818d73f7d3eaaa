/** Makes one file of the program for each version of Grafana, with its library inside. */
const versions = { 10.4: 'grafana-data-10', 12.3: 'grafana-data-12' };

/** The library expects a browser when it is loaded, and one of its packages prints an advertisement. */
const browser = `globalThis.window ??= { addEventListener() {}, location: { search: '', href: '', pathname: '/' } };
console.info = () => {};`;

export default Object.entries(versions).map(([version, library]) => ({
  input: 'main.mjs',
  platform: 'node',
  resolve: { alias: { '@grafana/data': library } },
  treeshake: { moduleSideEffects: false },
  output: { file: `out/${version}.mjs`, format: 'esm', codeSplitting: false, banner: browser },
}));
