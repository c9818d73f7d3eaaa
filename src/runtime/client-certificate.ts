import type { WebTlsSettings } from '../model/web-settings.ts';

/** What the handshake says about the client's certificate. */
export interface ClientCertificate {
  readonly presented: boolean;
  /** Its chain ends in one of the client CAs. */
  readonly authorized: boolean;
  /** `subjectaltname` of the peer certificate (`DNS:a, IP Address:10.0.0.1`). */
  readonly alternativeNames: string;
}

/** Whether a client's certificate, or its absence, satisfies `client_auth_type` and `client_allowed_sans`. */
export function admitsClient(tls: WebTlsSettings, client: ClientCertificate): boolean {
  switch (tls.clientAuth) {
    case 'NoClientCert':
    case 'RequestClientCert':
      break;
    case 'RequireAnyClientCert':
      if (!client.presented) return false;
      break;
    case 'VerifyClientCertIfGiven':
      if (client.presented && !client.authorized) return false;
      break;
    case 'RequireAndVerifyClientCert':
      if (!client.presented || !client.authorized) return false;
      break;
  }
  if (tls.clientAllowedSans.length === 0 || !client.presented) return true;
  return namesOf(client.alternativeNames).some((name) => tls.clientAllowedSans.includes(name));
}

/** `DNS:a, IP Address:10.0.0.1, email:x@y, URI:spiffe://z` without the kinds. A quoted entry could fake a comma. */
function namesOf(alternativeNames: string): readonly string[] {
  if (alternativeNames.includes('"')) return [];
  return alternativeNames.split(', ').map((entry) => entry.replace(/^[A-Za-z ]+:/, ''));
}
