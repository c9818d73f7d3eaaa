/** Whether a text is a graph's name as the server allows them: all that ever gets into a path. */
export function isGraphName(text: string): boolean {
  return /^[A-Za-z_]\w{0,127}$/.test(text);
}
