import { createServer } from 'node:https';
import { describe, expect, it } from 'vitest';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { nodeTlsOptions, tlsMaterialProblem } from '../../src/runtime/tls-material.ts';
import { listening } from '../support/static-server.ts';
import { authority, keyPair } from '../support/tls.ts';

const now = Date.UTC(2026, 8, 22);
const expired = keyPair('expired');
const client = keyPair('client');

describe('TLS files of a client', () => {
  it('are usable if the authority and the pair are valid', () => {
    expect(tlsMaterialProblem({}, now)).toBeUndefined();
    expect(tlsMaterialProblem({ ca: authority, ...client }, now)).toBeUndefined();
    expect(tlsMaterialProblem({ ca: `${expired.cert}\n${authority}` }, now)).toBeUndefined();
  });

  it.each([
    ['a CA file without a certificate', { ca: 'canary' }, 'ca_file contains no PEM certificate'],
    [
      'a CA file with only expired certificates',
      { ca: expired.cert },
      'the certificate in ca_file expired at 2021-01-01T00:00:00.000Z; replace the file',
    ],
    ['no certificate', { cert: 'canary', key: client.key }, 'cert_file contains no PEM certificate'],
    ['no key', { cert: client.cert, key: 'canary' }, 'key_file contains no unencrypted PEM private key'],
    [
      'the key of another certificate',
      { cert: client.cert, key: expired.key },
      'the key in key_file does not belong to the certificate in cert_file',
    ],
    [
      'an expired client certificate',
      expired,
      'the client certificate in cert_file expired at 2021-01-01T00:00:00.000Z; replace the file',
    ],
  ] as const)('with %s return a reason', (_, material, sentence) => {
    expect(tlsMaterialProblem(material, now)).toBe(sentence);
  });

  it('that cause a failed handshake are named in the failure', async () => {
    const options = { ...keyPair('server'), ca: authority, requestCert: true, rejectUnauthorized: true };
    const port = await listening(createServer(options, (_, response) => response.end('hello')));
    const failureWith = async (material: object) => {
      const tls = { ca: authority, ...material };
      const pool = openHttpPool({ origin: `https://127.0.0.1:${port}`, sockets: 1, tls });
      const request = { method: 'GET', path: '/', headers: {}, maxBytes: 100 } as const;
      const reply = await pool.request(request, AbortSignal.timeout(30_000));
      await pool.close();
      return reply.ok ? 'accepted' : `${reply.error.reason}: ${reply.error.message}`;
    };
    expect(await failureWith(client)).toBe('accepted');
    expect(await failureWith({ cert: client.cert, key: expired.key })).toBe(
      'tls: the key in key_file does not belong to the certificate in cert_file',
    );
  });
});

it('options of a client verify the server unless checks are switched off', () => {
  expect(nodeTlsOptions({ ca: 'A', cert: 'B', key: 'C' })).toEqual({
    ca: 'A',
    cert: 'B',
    key: 'C',
    ciphers: expect.stringMatching(/:!DHE$/),
    rejectUnauthorized: true,
  });
  expect(nodeTlsOptions({ insecureSkipVerify: true })).toMatchObject({ rejectUnauthorized: false });
});
