/** Languages of the shown code. */
export const languages = [
  'bash',
  'python',
  'php',
  'ruby',
  'javascript',
  'csharp',
  'java',
  'go',
  'json',
  'http',
  'text',
] as const;

export type CodeLanguage = (typeof languages)[number];
