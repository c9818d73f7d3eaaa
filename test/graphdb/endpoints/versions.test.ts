import { describe, expect, it } from 'vitest';
import { fetchVersions } from '../../../src/graphdb/endpoints/versions.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, type Exchange, FakePool } from '../../support/fake-pool.ts';

const commit = 'a'.repeat(40);
const table = (message: string): Exchange => ['GET /restpp/version', answer({ error: 'false', message })];
const gsql = (text: string): Exchange => ['GET /gsql/v1/version', answer(text)];

function read(...script: Exchange[]): ReturnType<typeof fetchVersions> {
  return fetchVersions(callerOver(new FakePool(...script), { serverVersion: '4.1' }), neverAborted());
}

describe('versions', () => {
  it('are those of the table and of the GSQL server', async () => {
    const result = await read(
      table(`RESTPP: \n --- Version ---\nproduct   release_4.2.1_06-01-2025 ${commit}  2025-06-01 10:00:00 -0700\n\n`),
      gsql(`GSQL version: 4.2.1\nGSQL commit number: ${commit}\nGSQL commit date: 2025-05-31\n`),
    );
    expect(factsOf(result)).toEqual([
      { component: 'product', version: '4.2.1', commit },
      { component: 'gsql', version: '4.2.1', commit },
    ]);
  });

  it('are read from a table with raw line feeds, as the server sends it', async () => {
    const body = `{"error":"false", "message":"RESTPP: \n --- Version ---\nproduct release_4.2.1_x ${commit}\n"}`;
    const result = await read(['GET /restpp/version', answer(body)], ['GET /gsql/v1/version', answer({}, 401)]);
    expect(factsOf(result)).toEqual([{ component: 'product', version: '4.2.1', commit }]);
  });

  it('name a component once, and in lower case', async () => {
    const result = await read(table(`GSQL release_4.1.0_x ${commit} 2025`), gsql('GSQL version: 4.2.1'));
    expect(factsOf(result)).toEqual([{ component: 'gsql', version: '4.1.0', commit }]);
  });

  it('are those of one endpoint if the other fails', async () => {
    const denied = answer({ error: true }, 401);
    expect(factsOf(await read(table(`gpe dev ${commit}`), ['GET /gsql/v1/version', denied]))).toEqual([
      { component: 'gpe', version: 'dev', commit },
    ]);
    expect(factsOf(await read(['GET /restpp/version', denied], gsql('GSQL version: 4.1.0')))).toEqual([
      { component: 'gsql', version: '4.1.0', commit: '' },
    ]);
  });

  it('are empty if no endpoint has a version', async () => {
    expect(failureOf(await read(table('nothing here'), gsql('nothing'))).reason).toBe('body');
    expect(failureOf(await read(['GET /restpp/version', answer({ error: false, message: 7 })], gsql('x'))).reason).toBe(
      'body',
    );
  });

  it('are bounded', async () => {
    const lines = Array.from({ length: 1000 }, (_, at) => `c${at} v1 ${commit}`).join('\n');
    expect(factsOf(await read(table(lines), gsql('x'))).length).toBeLessThanOrEqual(64);
    expect(failureOf(await read(table(`${'n'.repeat(100)} v1 ${commit}`), gsql(''))).reason).toBe('body');
  });
});
