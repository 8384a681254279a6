import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { compilerOptions, entryOf, projects } from './nest-projects.js';

/** The programs that package.json, the image and the units start. */
const programs = ['admin', 'migrate', 'sandbox', 'server', 'worker'];

describe('nest-cli.json', () => {
  it('lists every program of the product', () => {
    expect(Object.keys(projects).sort()).toEqual(programs);
  });

  it.each(Object.entries(projects))(
    'has the folder and the first file of %s',
    (_name, { root, sourceRoot, entryFile }) => {
      expect([root, sourceRoot, `${entryFile}.ts`].filter((path) => !existsSync(path))).toEqual([]);
      expect(`${entryFile}.ts`.startsWith(`${sourceRoot}/`)).toBe(true);
    },
  );

  it('names the compiler project that `npm run build` compiles', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    expect(existsSync(compilerOptions.tsConfigPath)).toBe(true);
    expect(scripts['build']).toContain(`-p ${compilerOptions.tsConfigPath} `);
  });

  it('lists the first file of every program that package.json starts', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const started = Object.values(scripts).flatMap((script) => /^node dist\/(\S+)$/.exec(script)?.[1] ?? []);
    expect(started.sort()).toEqual(programs.map(entryOf).sort());
  });
});
