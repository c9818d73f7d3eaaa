// Main script of the executable and of its threads: loads the program, whose files are assets of the executable.
const { registerHooks } = require('node:module');
const { getAsset } = require('node:sea');

// URL of a folder that does not exist in any file system.
const root = 'file:///graphwarden.executable/';

registerHooks({
  resolve(specifier, context, next) {
    const isFile = specifier.startsWith('.') && context.parentURL?.startsWith(root) === true;
    if (isFile) return { url: new URL(specifier, context.parentURL).href, shortCircuit: true };
    return specifier.startsWith(root) ? { url: specifier, shortCircuit: true } : next(specifier, context);
  },
  load(url, context, next) {
    if (!url.startsWith(root)) return next(url, context);
    return { format: 'module', source: getAsset(url.slice(root.length), 'utf8'), shortCircuit: true };
  },
});

void import(`${root}graphwarden.mjs`);
