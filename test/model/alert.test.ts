import { expect, it } from 'vitest';
import { shortIncidentId } from '../../src/model/alert.ts';

it('the id of an incident for operators is the beginning of its key, and its number', () => {
  expect(shortIncidentId({ key: 'a1b2c3d4e5f60718293a4b5c6d7e8f90', episode: 3 })).toBe('a1b2c3d4e5f6-3');
});
