interface Pattern {
  readonly excludes: boolean;
  readonly form: RegExp;
}

/**
 * Which paths of the context a build sees: the last pattern that matches a path or a folder above it decides
 * (https://docs.docker.com/build/concepts/context/#dockerignore-files).
 */
export class Dockerignore {
  private readonly patterns: Pattern[];

  constructor(text: string) {
    this.patterns = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => ({ excludes: !line.startsWith('!'), form: formOf(line.replace(/^!/, '')) }));
  }

  /** `path` is relative to the context, with slashes. */
  excludes(path: string): boolean {
    const parts = path.split('/');
    const selfAndAbove = parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
    let excluded = false;
    for (const { excludes, form } of this.patterns) if (selfAndAbove.some((one) => form.test(one))) excluded = excludes;
    return excluded;
  }
}

/** Go's filepath.Match, and `**` for any number of folders. */
function formOf(pattern: string): RegExp {
  const body = pattern
    .replace(/^\/|\/$/g, '')
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('**/', '\u0000')
    .replaceAll('**', '.*')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll('\u0000', '(?:.*/)?');
  return new RegExp(`^${body}$`);
}
