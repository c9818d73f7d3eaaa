/** Options for `https.createServer` and `setSecureContext`, in the words of `node:tls`. */
export interface ServerTls {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
  readonly requestCert: boolean;
  readonly rejectUnauthorized: boolean;
  readonly minVersion: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
  readonly maxVersion: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
  readonly ciphers?: string;
  readonly ecdhCurve?: string;
  readonly honorCipherOrder: boolean;
}
