import { describe, expect, it } from 'vitest';
import { formatPath, isSafeToShow } from '../../src/config/key-path.ts';

describe('formatPath', () => {
  it.each([
    [[], ''],
    [['listen'], 'listen'],
    [['clusters', 0, 'nodes', 1, 'url'], 'clusters[0].nodes[1].url'],
    [[0, 'name'], '[0].name'],
    [['http_server_config', 'http2'], 'http_server_config.http2'],
    [['headers', 'X-Frame-Options'], 'headers.X-Frame-Options'],
    [['labels', 'hunter2-c4n4ry'], 'labels.…'],
    [['labels', ''], 'labels.…'],
    [['labels', 'a b'], 'labels.…'],
    [['clusters', -3], 'clusters'],
  ])('writes %j as %s', (path, text) => {
    expect(formatPath(path)).toBe(text);
  });
});

describe('isSafeToShow', () => {
  it('shows a name that looks like a key', () => {
    expect(['every', 'stale_after', 'http2', 'X-Frame-Options'].every(isSafeToShow)).toBe(true);
  });

  it('hides any other name', () => {
    expect(['pa55word', 'two words', '', '1', 'x'.repeat(80), 'a\nb', 'é'].some(isSafeToShow)).toBe(false);
  });
});
