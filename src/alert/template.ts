import { err, ok, type Result } from '../kernel/result.ts';

/** Fills `{{name}}`; the error is a sentence about the first name that stands for nothing, or braces that are not closed. */
export function render(template: string, values: Readonly<Record<string, string>>): Result<string, string> {
  let trouble: string | undefined;
  const text = template.replace(/\{\{([^{}]*)\}\}/g, (_, inner: string) => {
    const name = inner.trim();
    if (Object.hasOwn(values, name)) return values[name] ?? '';
    trouble ??= `there is no value '${name.slice(0, 64)}'`;
    return '';
  });
  const rest = template.replace(/\{\{[^{}]*\}\}/g, '');
  if (rest.includes('{{') || rest.includes('}}')) trouble ??= 'braces are not closed';
  return trouble === undefined ? ok(text) : err(trouble);
}
