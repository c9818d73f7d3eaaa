/** The port to checksums; texts are hashed as UTF-8, results are lower-case hex. */
export interface Digest {
  sha256(text: string): string;
  hmacSha256(key: string, text: string): string;
}
