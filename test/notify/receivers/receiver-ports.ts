import type { NotifierPorts } from '../../../src/notify/receiver.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { FakeFiles } from '../../support/fake-files.ts';
import type { FakePool } from '../../support/fake-pool.ts';

/** Ports of receivers whose HTTP requests go to `pool`; mail fails the test. */
export function portsOver(pool: FakePool, files = new FakeFiles()): NotifierPorts {
  return { openPool: () => pool, sendMail, digest, files };
}

function sendMail(): Promise<never> {
  return Promise.reject(new Error('unexpected mail'));
}
