// Plain JavaScript on purpose: it has to run on the old Node that it complains about.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `graphwarden needs Node 24 or newer, this is ${process.version}. ` +
      'On Linux x64 and arm64 `npm ci` brings the right one along: run it again without --omit=optional. ' +
      'Elsewhere install Node 24 (nvm use).\n',
  );
  process.exit(1);
}
