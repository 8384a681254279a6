import { sampleFiles } from './samples.js';
import type { Sample } from './page.js';

const files = import.meta.glob<string>('./samples/*/*', { query: '?raw', import: 'default', eager: true });

/** The program as it stands in its file. */
export function sampleText({ call, language }: Pick<Sample, 'call' | 'language'>): string {
  const text = files[`./samples/${call}/${sampleFiles[language].name}`];
  if (text === undefined) throw new Error(`There is no sample of ${call} for ${language}`);
  return text;
}
