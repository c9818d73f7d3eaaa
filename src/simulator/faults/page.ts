import type { OutgoingReply } from '../../kernel/listener.ts';
import { isJson } from './content.ts';
import type { FaultContext } from './fault.ts';

/** Repeats every family with other values. */
export function duplicateFamilies(context: FaultContext): OutgoingReply {
  return changePage(context, (page) => page + withValues(page, /^[^#]/, () => '4711'));
}

/** Repeats every family with another type. */
export function conflictingFamilies(context: FaultContext): OutgoingReply {
  return changePage(context, (page) => page + page.replaceAll(/^(# TYPE \S+) gauge$/gm, '$1 counter'));
}

/** Replaces all values by NaN. */
export function nanValues(context: FaultContext): OutgoingReply {
  return changePage(context, (page) => withValues(page, /^[^#]/, () => 'NaN'));
}

/** Reports unlimited memory, as servers in containers do. */
export function memoryUnlimited(context: FaultContext): OutgoingReply {
  return changePage(context, (page) => withValues(page, /^[^#]*memory_(?:total|available)\b/, () => '-1'));
}

/** Reports impossible CPU usage and capacity, as real servers before 4.2 do. */
export function cpuOver100(context: FaultContext): OutgoingReply {
  return changePage(context, (page) => {
    const used = withValues(page, /^[^#]*cpu_usage\b/, (value) => String(Number(value) + 137.5));
    return withValues(used, /^[^#]*cpu_available\b/, (value) => String(Number(value) - 137.5));
  });
}

/** Names that try to inject content where they are inserted: into a label value, a log line or a page. */
export const maliciousNames: readonly string[] = [
  'quote " brace } new\nline',
  '\\" 1\nevil_metric 1\n# EOF\n',
  'bell \u0007 escape \u001b[31m nul \u0000',
  '<script>alert(1)</script>',
  'x'.repeat(10_240),
];

/** Hostile names for directories on the page, and for queries in the lists. */
export function maliciousLabels({ reply }: FaultContext): OutgoingReply {
  if (isJson(reply)) return { ...reply, body: reply.body.replaceAll(/("(?:url|ServiceName)":")/g, maliciousText) };
  const family = /^# TYPE (\S+diskspace_free) /m.exec(reply.body)?.[1];
  if (family === undefined) return reply;
  const lines = maliciousNames.map(
    (name) => `${family}{host_id="m1",mount_point="/",path="/",path_name="${escaped(name)}"} 1\n`,
  );
  return { ...reply, body: reply.body.replace(/^# TYPE \S+diskspace_free .*\n/m, (type) => type + lines.join('')) };
}

function maliciousText(start: string): string {
  const path = start.includes('url') ? '/query/fraud/' : '';
  return start + path + JSON.stringify(maliciousNames.slice(0, 4).join(' ')).slice(1, -1);
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/** Applies a change to a page of metrics; other responses are unchanged. */
function changePage({ reply }: FaultContext, change: (page: string) => string): OutgoingReply {
  return reply.body.startsWith('# HELP') ? { ...reply, body: change(reply.body) } : reply;
}

function withValues(page: string, line: RegExp, change: (value: string) => string): string {
  return page
    .split('\n')
    .map((text) => {
      const cut = text.lastIndexOf(' ');
      return line.test(text) ? `${text.slice(0, cut)} ${change(text.slice(cut + 1))}` : text;
    })
    .join('\n');
}
