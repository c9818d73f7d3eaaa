import { expect, it } from 'vitest';
import { nodeAddress } from '../../src/model/node-address.ts';

it.each([
  ['http://m1:14240', 'm1:14240'],
  ['https://M1:14240/', 'm1:14240'],
  ['http://m1', 'm1:80'],
  ['https://m1/graph/', 'm1:443/graph'],
  ['http://[fd00::1]:9000', '[fd00::1]:9000'],
])('the address of %s is %s', (url, address) => {
  expect(nodeAddress(url)).toBe(address);
});
