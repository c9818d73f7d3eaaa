/**
 * Minimum cost of a daemon on Node: a listener, a timer of 250 ms, and a database in another thread. It is JavaScript, because
 * loading TypeScript would increase the measured memory.
 */
import { Worker } from 'node:worker_threads';

const { createServer } = process.getBuiltinModule('node:http');
const database = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.env.BENCH_FLOOR);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE one (value TEXT)');
  require('node:worker_threads').parentPort.on('message', () => database.exec("INSERT INTO one VALUES ('')"));
`;
const worker = new Worker(database, { eval: true, env: { BENCH_FLOOR: `${process.argv[2]}/floor.db` } });
createServer((_, response) => response.end('')).listen(0, '127.0.0.1');
setInterval(() => undefined, 250);
process.on('SIGTERM', () => void worker.terminate().then(() => process.exit(0)));
