import { describe, expect, it } from 'vitest';
import { apiReference } from '../../../tools/generate/api-reference.ts';

const { path, text } = await apiReference();

describe('API reference', () => {
  it('is docs/api.md', () => {
    expect(path).toBe('docs/api.md');
    expect(text).toMatch(/^# HTTP API\n/);
  });

  it('has a row for each route', () => {
    expect(text).toContain('| `GET /api/v1/alerts` | Lists the alerts');
    expect(text).toContain('| `POST /api/v1/guard/pause` |');
    expect(text).toContain('`target` (required)');
  });

  it('has a table for each object, with types, meanings and an example', () => {
    for (const name of ['Alert', 'Silence', 'Service', 'Transition', 'Availability', 'Query', 'Decision', 'Problem']) {
      expect(text).toContain(`### ${name}\n`);
    }
    expect(text).toContain('| `severity` | `critical`, `warning`, `info` | Severity. |');
    expect(text).toContain('| `endsAt` | timestamp, null | When the alert was resolved; null before that. |');
    expect(text).toContain('"rule": "disk_filling"');
  });
});
