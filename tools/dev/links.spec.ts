import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writtenFiles } from './testing/written-files.js';

/** Links between the documents, and to other files of the project: page, file and fragment. */
const links = writtenFiles()
  .filter((page) => page.endsWith('.md'))
  .flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!\w+:|\/)([^)\s#]*)#?([^)\s]*)\)/g)].map(([, path = '', fragment = '']) => ({
      page,
      file: path === '' ? page : join(dirname(page), path),
      fragment,
    })),
  );

describe('links of the documents', () => {
  it('lead to files that exist', () => {
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(({ file }) => !existsSync(file))).toEqual([]);
  });

  it('lead to headings that exist', () => {
    const missing = links.filter(
      ({ file, fragment }) => fragment !== '' && existsSync(file) && !fragmentsOf(file).includes(fragment),
    );
    expect(missing).toEqual([]);
  });
});

/** The fragments of a page's headings, as GitHub makes them. */
function fragmentsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  );
}

/** The text of a page without its samples. */
function textOf(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^ *```[^]*?^ *```$/gm, '');
}
