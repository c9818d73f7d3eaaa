/** A cron that runs only when a test says so. */
export class FakeCron {
  readonly entries: { readonly expression: string; readonly run: () => void }[] = [];

  readonly schedule = (expression: string, run: () => void): { readonly stop: () => void } => {
    const entry = { expression, run };
    this.entries.push(entry);
    return { stop: () => void this.entries.splice(this.entries.indexOf(entry), 1) };
  };
}
