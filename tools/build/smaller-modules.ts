import type { Plugin } from 'rolldown';

/**
 * Built-in modules that the program gets without an import: for an import, Node evaluates all lazy properties of the module.
 * With `http`, that loads Node's own copy of undici, which costs a process 12 MB.
 */
const lazyBuiltin = /^(?:node:)?(https?|util|process)$/;

/** The parts of undici that the program uses. Its main module also loads `fetch`, web sockets, caches and mocks. */
const undiciParts = `
  const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');
  Dispatcher.prototype.connect = require('undici/lib/api/api-connect.js');
  exports.Client = require('undici/lib/dispatcher/client.js');
  exports.Pool = require('undici/lib/dispatcher/pool.js');
  exports.ProxyAgent = require('undici/lib/dispatcher/proxy-agent.js');
  exports.EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js');
  exports.buildConnector = require('undici/lib/core/connect.js');
`;

/** Modules of undici for HTTP/2 and for bodies of `fetch`, which no request of the program reaches. */
const unusedUndiciModule = /\/(?:client-h2|fetch\/(?:body|formdata)|webidl(?:\/index)?)(?:\.js)?$/;
const unused = `module.exports = () => { throw new Error('this part of undici is not in the bundle'); };`;

/** Name that undici looks for to omit its experimental parser, which `UNDICI_USE_MILO` would select. */
const singleParser = { esbuildDetection: 'true' };

const builtinPrefix = '\0builtin:';
const undiciId = '\0undici';
const unusedPrefix = '\0unused:';

/** Plugin of the bundler that replaces modules by smaller ones with the same exports. */
export const smallerModules: Plugin = {
  name: 'smaller modules',
  options: ({ transform, ...others }) => ({
    ...others,
    transform: { ...transform, define: { ...transform?.define, ...singleParser } },
  }),
  resolveId: {
    order: 'pre',
    handler(id, importer) {
      const [, builtin] = lazyBuiltin.exec(id) ?? [];
      if (builtin !== undefined) return builtinPrefix + builtin;
      if (id === 'undici') return undiciId;
      if (importer === undiciId) return this.resolve(id, import.meta.filename, { skipSelf: true });
      const isOfUndici = importer?.includes('/node_modules/undici/') === true;
      return isOfUndici && unusedUndiciModule.test(id) ? unusedPrefix + id : null;
    },
  },
  load(id) {
    if (id === undiciId) return { code: undiciParts, moduleType: 'js' };
    if (id.startsWith(unusedPrefix)) return { code: unused, moduleType: 'js' };
    if (!id.startsWith(builtinPrefix)) return null;
    const name = id.slice(builtinPrefix.length);
    return { code: `module.exports = process.getBuiltinModule('node:${name}');`, moduleType: 'js' };
  },
};
