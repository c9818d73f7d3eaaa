import { describe, expect, it } from 'vitest';
import { colorOfStatus, serviceStatusCodes } from '../../src/model/service.ts';

const statusesOf = (color: string) => Object.keys(serviceStatusCodes).filter((one) => colorOfStatus(one) === color);

describe('color of a status', () => {
  it('is green for Online only', () => {
    expect(statusesOf('green')).toEqual(['Online']);
  });

  it('is red if the instance does not run, and orange if it serves only a part', () => {
    expect(statusesOf('red')).toEqual(['Offline', 'Down']);
    expect(statusesOf('orange')).toEqual(['Readonly', 'Paused', 'Stopping']);
    expect([...statusesOf('yellow'), ...statusesOf('blue')]).toEqual(['Warmup', 'Starting']);
  });

  it('is grey for an unknown status, and for an undocumented one', () => {
    expect(statusesOf('grey')).toEqual(['StatusUnchanged', 'StatusUnknown']);
    expect(colorOfStatus('Dancing')).toBe('grey');
    expect(colorOfStatus('constructor')).toBe('grey');
  });
});
