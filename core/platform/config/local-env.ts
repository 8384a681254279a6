/** A variable and its value: plain characters, single quotes, double quotes, escaped characters. */
const assignment = /([A-Za-z_]\w*)=((?:[^\s'"\\]|'[^']*'|"(?:[^"\\]|\\[^\n])*"|\\[^\n])*)\n/gy;
const part = /'([^']*)'|"((?:[^"\\]|\\[^\n])*)"|\\([^\n])/g;

/**
 * Returns the variables of a file of `NAME=value` lines as a POSIX shell assigns them
 * (POSIX.1-2017, Shell Command Language, 2.2), without expansion. Node's own reader of such files
 * cannot read a value that has quotes of both kinds. Throws for a file that is not such a list.
 */
export function parseLocalEnv(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  let end = 0;
  for (const [line, name = '', value = ''] of text.matchAll(assignment)) {
    variables[name] = value.replaceAll(part, (_part, single?: string, double?: string, escaped?: string) => {
      return single ?? escaped ?? double?.replaceAll(/\\([$`"\\])/g, '$1') ?? '';
    });
    end += line.length;
  }
  if (end < text.length) throw new Error(`Line ${text.slice(0, end).split('\n').length} assigns no variable`);
  return variables;
}
