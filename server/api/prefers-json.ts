/**
 * Whether a caller would rather have JSON than the plain text that everybody gets (RFC 9110, section 12.5.1): it is named,
 * and plain text is not named with as much weight. Wildcards name neither.
 */
export function prefersJson(accept: string | undefined): boolean {
  return weightOf('application/json', accept) > weightOf('text/plain', accept);
}

function weightOf(type: string, accept = ''): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim());
    if (name !== type) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return quality === undefined ? 1 : Number(quality.slice('q='.length)) || 0;
  }
  return 0;
}
