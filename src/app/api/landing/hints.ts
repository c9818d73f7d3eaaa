import type { FailureReason } from '../../../kernel/failure.ts';

/** What a person can do about a failure of `collector`, which needs `privilege` on the server (`''`: none). */
export function hintFor(reason: FailureReason, collector: string, privilege: string): string {
  const hints: Readonly<Record<FailureReason, string>> = {
    unreachable: 'Does the node run, and is its url right? Does a firewall or a proxy stand between?',
    timeout: `The node takes calls and answers too late: look at its load; collectors.${collector}.timeout grants more.`,
    tls: "Check the cluster's tls settings (ca_file, server_name), and until when the server's certificate is valid.",
    auth:
      privilege === ''
        ? "The cluster's read_auth opens nothing: is its token, password or secret there, and still valid?"
        : `It needs the privilege ${privilege}: grant it to the user of read_auth, or renew what read_auth shows.`,
    status: "The server answers with an error: the node's own log says why.",
    body: 'Does something else than the database answer there (a proxy, a login page), or did the server break off?',
    too_large: 'limits.body is the most that is read of one answer.',
    unsupported: `This server does not have it: set collectors.${collector}.enabled to false, or check server_version.`,
  };
  return hints[reason];
}
