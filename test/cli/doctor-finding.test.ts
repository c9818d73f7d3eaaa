import { expect, it } from 'vitest';
import { findingOf, type NodeAccess } from '../../src/cli/doctor-finding.ts';
import { queries } from '../../src/collect/queries.ts';
import { type Failure, failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { FakeClock } from '../support/clock.ts';

const known: NodeAccess = { kind: 'bearer', isRejected: false };

function findingFor(outcome: Failure | undefined, access: NodeAccess = known, privilege = 'READ_DATA, global') {
  const checked = {
    db: { cluster: 'prod', node: 'm1' },
    collector: { ...queries, privilege },
    call: 'list',
    begun: 0,
    access,
  };
  return findingOf(checked, outcome === undefined ? ok(undefined) : err(outcome), new FakeClock());
}

const denied = failure('auth', 'GET /list on m1: denied', { status: 403, code: 'REST-10016' });

it('a request that works has neither an error nor a fix', () => {
  expect(findingFor(undefined)).toMatchObject({ reason: 'works', advice: '', fix: '', tolerated: false });
});

it('a privilege to grant is named if the server knows the user', () => {
  expect(findingFor(denied)).toMatchObject({
    reason: 'auth',
    missingPrivilege: expect.stringContaining('READ_DATA'),
    advice: 'grant READ_DATA, global: GET /list on m1: denied',
    fix: 'In GSQL: GRANT PRIVILEGE READ_DATA ON GLOBAL TO a role of the user of read_auth.',
  });
});

it.each<[string, Failure, NodeAccess, string]>([
  ['status 401', failure('auth', 'denied', { status: 401 }), known, 'READ_DATA'],
  ['a request that needs no privilege is denied, too', denied, { ...known, isRejected: true }, 'READ_DATA'],
  ['no credentials are configured', denied, { ...known, kind: 'none' }, 'READ_DATA'],
  ['the request needs no privilege', denied, known, ''],
])('no privilege is named if %s', (_, outcome, access, privilege) => {
  expect(findingFor(outcome, access, privilege)).toMatchObject({
    advice: outcome.message,
    fix: 'The server denies access: set read_auth of the cluster, or check its token, password or secret, and the expiry.',
  });
});

it('a data plane that requires tokens is reported to users of a password', () => {
  const { fix } = findingFor(denied, { ...known, kind: 'basic' });
  expect(fix).toMatch(/^The data plane accepts no user name and password: set secret_file or bearer_token_file /);
  expect(findingFor(failure('auth', 'denied', { status: 403 }), { ...known, kind: 'basic' }).fix).toContain('GRANT');
});

it('a secret that cannot be used is not a denial of the server', () => {
  const finding = findingFor(failure('auth', 'the token has several lines'));
  expect(finding).toMatchObject({ reason: 'no_credential', advice: 'the token has several lines' });
  expect(finding.fix).toContain('correct the file of its token, password or secret');
});
