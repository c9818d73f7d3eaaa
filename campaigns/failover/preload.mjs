// Loaded by each daemon before the program: adds the replica to every request, and shifts the wall clock.
import diagnostics from 'node:diagnostics_channel';

const replica = process.env.FAILOVER_REPLICA ?? '';
const skew = Number(process.env.FAILOVER_SKEW ?? 0);

diagnostics.subscribe('undici:request:create', ({ request }) => {
  request.addHeader('x-replica', replica);
});

if (skew !== 0) {
  const TrueDate = Date;
  globalThis.Date = class extends TrueDate {
    constructor(...given) {
      if (given.length === 0) super(TrueDate.now() + skew);
      else super(...given);
    }

    static now() {
      return TrueDate.now() + skew;
    }
  };
}
