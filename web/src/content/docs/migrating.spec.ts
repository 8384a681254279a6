import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { migrations, parsePage, verifyLedger } from './migrating.server.js';

const text = `# Title

First line
of \`code\` ([Webhooks](../web/src/content/docs/webhooks.ts)).

## Part

| A    | B |
| ---- | - |
| \`x\` |   |

- One
  goes on
- Two

\`\`\`js
const a = 1;

const b = '## no heading';
\`\`\`
`;

describe('migration pages', () => {
  it('are parsed from Markdown', () => {
    expect(parsePage(text)).toEqual({
      title: 'Title',
      intro: [`First line of \`code\` ([Webhooks](${paths.webhooks})).`],
      sections: [
        {
          title: 'Part',
          blocks: [
            { kind: 'table', head: ['A', 'B'], rows: [['`x`', '']] },
            { kind: 'list', items: ['One goes on', 'Two'] },
            {
              kind: 'code',
              title: 'Part',
              language: 'javascript',
              code: `const a = 1;\n\nconst b = '## no heading';\n`,
            },
          ],
        },
      ],
    });
  });

  it.each([['## no title'], ['# T\n\n### deep'], ['# T\n\n```php\n```'], ['# T\n\n[x](other.md)']])(
    'refuse %j, which they would show wrongly',
    (wrong) => {
      expect(() => parsePage(wrong)).toThrow(Error);
    },
  );

  it('map parameters, states and errors of both APIs', () => {
    const titles = migrations.map(({ title, sections }) => [title, sections.map((section) => section.title)]);
    expect(titles).toEqual([
      ['Migrating from Twilio', expect.arrayContaining(['Parameters', 'Status callbacks', 'Responses', 'Errors'])],
      ['Migrating from Textbelt', expect.arrayContaining(['Replies', 'Status', 'Errors'])],
    ]);
  });

  it('show how to verify the ledger, with the program and without what operators need', () => {
    const { title, sections } = verifyLedger;
    expect([title, ...sections.map((section) => section.title)]).toEqual([
      'Verify your ledger',
      'Verify it',
      'The file',
      'Without our program',
    ]);
    const shown = JSON.stringify(sections);
    expect(shown).toContain(`--keys ${site.url}/.well-known/pennytext-ledger.json`);
    expect(shown).toContain("import { createHash, createPublicKey, verify } from 'node:crypto';");
    expect(shown).toContain('(#without-our-program)');
    expect(shown).not.toMatch(/npm run -s admin|\]\(samples/);
  });
});
