import { expect, it } from 'vitest';
import { receivers } from '../../src/notify/receivers/all.ts';
import { describeReceiver } from './receiver-suite.ts';

for (const unit of receivers) describeReceiver(unit);

it('every kind of receiver has its own name, in the demo as well', () => {
  const kinds = receivers.map(({ kind }) => kind);
  expect(new Set(kinds).size).toBe(kinds.length);
  const names = receivers.flatMap(({ simulated }) => simulated?.demo.name ?? []);
  expect(new Set(names).size).toBe(names.length);
});
