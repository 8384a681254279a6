import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Block } from '../page.js';
import { docsPages } from './menu.js';

const root = join(__dirname, '../../../..');

/** A command for a shell, and its place. */
type Command = readonly [place: string, text: string];

/** The commands of the pages, of the programs that these show, and of the Markdown files. */
const commands: readonly Command[] = [
  ...docsPages.flatMap(({ path, intro, sections }) =>
    [...intro, ...sections.flatMap(({ blocks }) => blocks)].flatMap(shellCodeOf).map((text): Command => [path, text]),
  ),
  ...readdirSync(join(root, 'web/src/content/samples')).flatMap((call) =>
    filesIn(join('web/src/content/samples', call), '.sh').map((file): Command => [file, read(file)]),
  ),
  ...['README.md', 'sdk/typescript/README.md', ...filesIn('docs', '.md'), ...filesIn('docs/design', '.md')].flatMap(
    (file) =>
      [...read(file).matchAll(/^```(?:sh|bash|shell)\n(.*?)^```/gms)].map(([, text = '']): Command => [file, text]),
  ),
];

describe('commands of the documentation', () => {
  it('are found on pages, in programs and in files', () => {
    const places = commands.map(([place]) => place);
    expect(places).toEqual(expect.arrayContaining(['/docs/numbers', '/docs/api/release-number', 'docs/ledger.md']));
    expect(places.filter((place) => place.endsWith('.sh'))).not.toEqual([]);
  });

  it('quote an address with a query, which a shell would cut at & and expand at ?', () => {
    const cut = commands.flatMap(([place, text]) => {
      const address = /\S*:\/\/\S*[?&]\S*/.exec(unquoted(text));
      return address ? [`${place}: ${address[0]}`] : [];
    });
    expect(cut).toEqual([]);
  });
});

/** The command without quoted texts and comments. */
function unquoted(command: string): string {
  return command.replace(/'[^']*'|"(?:\\.|[^"\\])*"/gs, '').replace(/(^|\s)#.*$/gm, '');
}

function shellCodeOf(block: Block): string[] {
  if (typeof block === 'string') return [];
  if (block.kind === 'exchange') return [block.request, ...block.answers].flatMap(shellCodeOf);
  return block.kind === 'code' && block.language === 'bash' ? [block.code] : [];
}

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
