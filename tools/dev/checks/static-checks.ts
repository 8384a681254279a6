/** A tool that says yes or no by its exit code: its script under node_modules and its arguments. */
export interface StaticCheck {
  name: string;
  script: string;
  args: string[];
}

const folders = ['contract', 'core', 'server', 'worker', 'admin', 'web', 'sandbox', 'tools', 'e2e'];
const tsc = (name: string, project: string): StaticCheck => ({
  name,
  script: 'typescript/bin/tsc',
  args: ['-p', project, '--noEmit'],
});

/** The checks that need nothing but the sources, cheapest first. */
export const staticChecks: StaticCheck[] = [
  { name: 'format', script: 'prettier/bin/prettier.cjs', args: ['--check', '--log-level=warn', '.'] },
  {
    name: 'lint',
    script: 'oxlint/bin/oxlint',
    args: ['--deny-warnings', '--report-unused-disable-directives', ...folders],
  },
  tsc('types', 'tsconfig.json'),
  tsc('types of web', 'web/tsconfig.json'),
  tsc('types of sandbox pages', 'sandbox/ui/tsconfig.json'),
  {
    name: 'import rules',
    script: 'dependency-cruiser/bin/dependency-cruise.mjs',
    args: ['--config', '.dependency-cruiser.cjs', ...folders],
  },
];
