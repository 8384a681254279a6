import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { environmentGroups, environmentVariables, notesOf } from './env-schema.js';

const introduction = `# Configuration

Every environment variable of server, worker and operator commands. This page is generated from the schema in
\`core/platform/config/env-schema.ts\` by \`npm run -s docs:configuration\`; a test fails if it is out of date.

A process that lacks a variable or cannot read one does not start: it prints the name of every
faulty variable and how to fix it. When \`PUBLIC_URL\` is not local (localhost, \`*.localhost\`,
127.0.0.0/8 or ::1), it refuses in the same way what must not run in public: the sandbox's published
secrets, keys that are equal or not random, an address over http, addresses of vendors that lead to
the sandbox, to loopback or over http, \`ALLOW_PRIVATE_WEBHOOKS=true\`, sign-in by password without
\`SMTP_URL\`, and a database URL with the template's password.

An empty value counts as not set. \`.env\` in the working directory is read too;
[.env.example](../.env.example) is a template. A name that differs from a setting's by a letter or
two, or by case and separators alone (\`WORKER_CONCURENCY\`, \`DatabaseUrl\`), is refused. Server, worker
and migrations warn at start of other names in \`.env\` that neither they nor Docker Compose read.

**Secret** marks values that belong into a secret store and are never printed. Each of them can be
read from a file: \`TWILIO_AUTH_TOKEN_FILE=/run/secrets/twilio_auth_token\` in place of
\`TWILIO_AUTH_TOKEN\`, and so for every secret. The file has the value alone; line breaks at its end are
left out. To give both, or a file that is missing, empty or not readable, is refused. A file is read
when a process starts: restart it after a change.
`;

const root = `${__dirname}/../../..`;
const page = `${root}/docs/configuration.md`;
if (process.env.UPDATE_DOCS === '1') writeFileSync(page, configurationReference());

describe('docs/configuration.md', () => {
  it('is generated from the schema: run npm run -s docs:configuration', () => {
    expect(readFileSync(page, 'utf8')).toBe(configurationReference());
  });

  it('has one row for every variable', () => {
    const rows = [...readFileSync(page, 'utf8').matchAll(/^\| `([A-Z0-9_]+)`/gm)].map(([, name = '']) => name);
    expect(rows).toEqual(environmentVariables);
  });

  it('describes every variable in at least three words', () => {
    const rows = readFileSync(page, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    for (const row of rows) expect(row.split('|')[3]?.trim().split(' ').length).toBeGreaterThan(2);
  });
});

describe('README.md', () => {
  const readme = readFileSync(`${root}/README.md`, 'utf8');

  it('links to the configuration reference', () => {
    expect(readme).toContain('docs/configuration.md');
  });

  it('lists only variables that exist', () => {
    const rows = [...readme.matchAll(/^\| `([A-Z][A-Z0-9]*_[A-Z_]+)`/gm)].map(([, name = '']) => name);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((name) => !environmentVariables.includes(name))).toEqual([]);
  });
});

/** Generates docs/configuration.md from the schema of the environment. */
function configurationReference(): string {
  const sections = Object.entries(environmentGroups).map(([title, variables]) => {
    const rows = Object.entries<z.ZodType>(variables).map(([name, schema]) => {
      const { description, secret = false, default: fallback = defaultOf(schema) } = notesOf(schema);
      return `| \`${name}\` | ${fallback} | ${secret ? '**Secret.** ' : ''}${description} |`;
    });
    return [`## ${title}\n`, '| Variable | Default | Description |', '| --- | --- | --- |', ...rows].join('\n');
  });
  return `${[introduction.trimEnd(), ...sections].join('\n\n')}\n`;
}

/** Returns the default of the schema, 'none' for an optional variable, 'required' otherwise. */
function defaultOf(schema: z.ZodType): string {
  if (!schema.safeParse(undefined).success) return 'required';
  const { default: fallback } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return fallback === undefined ? 'none' : `\`${z.coerce.string().parse(fallback)}\``;
}
