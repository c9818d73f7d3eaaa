import type { FailureReason } from '../../kernel/failure.ts';

/** Returns what to check or change when `collector`, which needs `privilege` on the server (`''`: none), fails. */
export function adviceOn(reason: FailureReason, collector: string, privilege: string): string {
  const advice: Readonly<Record<FailureReason, string>> = {
    unreachable:
      'Check that the node runs, that its url is right (http or https, host, port), and that no firewall or proxy blocks it.',
    timeout: `The node answers too late: look at its load. collectors.${collector}.timeout allows more time.`,
    tls: "Check that the node serves https, the tls settings of the cluster (ca_file, server_name) and the expiry of the server's certificate.",
    auth:
      privilege === ''
        ? 'The server refuses read_auth of the cluster: check its token, password or secret, and its expiry.'
        : `The collector needs the privilege ${privilege}: grant it to the user of read_auth, or renew the credential.`,
    status:
      'The server answers with an error: the log of the node says why. For status 400, check whether its url must begin with https.',
    body: 'Check that the database answers there, and not a proxy or a login page.',
    too_large: 'The answer exceeds the limit that the message names: check that the database answers there.',
    unsupported: `This server has no such endpoint: set collectors.${collector}.enabled to false, or check server_version.`,
  };
  return advice[reason];
}
