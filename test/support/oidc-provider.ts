import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * Program that is an OIDC provider on port 5556 of loopback. Its arguments are its issuer, its client, and the email
 * address of the user that every login has. It asks for no password.
 */
const [issuer = '', client = '', email = ''] = process.argv.slice(2);
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const nonces = new Map<string, string>();

const discovery = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
};

/** URL of the client to which the browser returns with a code. */
function loginUrl(parameters: URLSearchParams): string {
  const code = randomUUID();
  nonces.set(code, parameters.get('nonce') ?? '');
  const back = new URL(parameters.get('redirect_uri') ?? '');
  back.search = new URLSearchParams({ code, state: parameters.get('state') ?? '' }).toString();
  return back.href;
}

/** Response to the client that redeems a code. */
function tokens(code: string): object {
  const now = Math.floor(Date.now() / 1000);
  const times = { iat: now, exp: now + 3600 };
  const user = { sub: 'user', email, email_verified: true, groups: [] };
  const parts = [
    { alg: 'RS256', kid: 'key' },
    { iss: issuer, aud: client, nonce: nonces.get(code), ...times, ...user },
  ];
  const content = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = createSign('RSA-SHA256').update(content).sign(privateKey, 'base64url');
  return { access_token: 'access', token_type: 'Bearer', expires_in: 3600, id_token: `${content}.${signature}` };
}

const keys = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key', alg: 'RS256', use: 'sig' }] };

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
  const send = (body: object): unknown =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (pathname === '/.well-known/openid-configuration') send(discovery);
  else if (pathname === '/keys') send(keys);
  else if (pathname === '/authorize') response.writeHead(302, { location: loginUrl(searchParams) }).end();
  else if (pathname === '/token') send(tokens(new URLSearchParams(await text(request)).get('code') ?? ''));
  else response.writeHead(404).end();
}

createServer((request, response) => {
  respond(request, response).catch(() => response.destroy());
}).listen(5556, '127.0.0.1');
