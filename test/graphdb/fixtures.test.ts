import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCluster } from '../../src/graphdb/connect.ts';
import type { GraphDb } from '../../src/graphdb/graph-db.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { catalogue } from '../fixtures/catalogue.ts';
import type { Fixture } from '../fixtures/fixture.ts';
import { bareCluster, neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { digest } from '../support/digest.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { startStaticServer } from '../support/static-server.ts';

const folder = join(import.meta.dirname, '../fixtures');
/** Read by the tests of the token exchange. */
const elsewhere = /token/;

async function served(fixture: Fixture): Promise<GraphDb> {
  const { file, request, status = 200, contentType } = fixture;
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  const body = readFileSync(join(folder, file));
  const server = await startStaticServer({ [request]: { status, headers, body }, ...echo(fixture) });
  const settings = file.startsWith('3.9/') ? { ...bareCluster, serverVersion: '3.9' } : bareCluster;
  const ports = {
    openPool: openHttpPool,
    clock: new FakeClock(),
    random: { next: () => 0 },
    files: new FakeFiles(),
    digest,
  };
  return openCluster(settings, { bodyLimit: 1_000_000 }, ports).node({ name: 'm1', url: server.url }).db;
}

/** If a path is missing, the client probes whether the server has the current path form. */
function echo({ status, request }: Fixture): Parameters<typeof startStaticServer>[0] {
  const needsEcho = status === 404 && request !== 'GET /restpp/echo';
  return needsEcho ? { 'GET /restpp/echo': { body: '{"error":false, "message":"Hello GSQL"}' } } : {};
}

describe('every recorded reply, served unchanged', () => {
  for (const fixture of catalogue) {
    const { file, status = 200, contentType = 'no content type', expected } = fixture;
    it(`${file} as ${status} with ${contentType}`, async () => {
      const db = await served(fixture);
      const result = await fixture.call(db, neverAborted());
      if ('facts' in expected) expect(result).toEqual({ ok: true, value: expected.facts });
      else expect(result).toEqual({ ok: false, error: { message: expect.any(String), ...expected.failure } });
    });
  }
});

describe('the catalogue', () => {
  it('names every file of the folder', () => {
    const listed = new Set(catalogue.map(({ file }) => file));
    const recorded = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(json|txt|html)$/.test(path))
      .filter((path) => !elsewhere.test(path) || path.startsWith('faults/'));
    expect(recorded.filter((path) => !listed.has(path))).toEqual([]);
    expect(recorded.length).toBeGreaterThan(40);
  });
});
