import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseDockerfile } from './dockerfile.js';
import { Dockerignore } from './dockerignore.js';
import { performBuild } from './perform-build.js';

describe('performBuild', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'image-spec-'));
    for (const path of ['package.json', 'src/a.js', 'src/a.spec.js', 'secret.env']) {
      mkdirSync(dirname(join(folder, 'context', path)), { recursive: true });
      writeFileSync(join(folder, 'context', path), path);
    }
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const ran: { command: string; folder: string; env: object }[] = [];
  const build = (text: string) =>
    performBuild(parseDockerfile(text), {
      context: join(folder, 'context'),
      ignore: new Dockerignore('*.env\n**/*.spec.js'),
      folder: join(folder, 'out'),
      run: async (command, where, env) => void ran.push({ command, folder: where, env }),
    });

  it('copies what the build may see, from the context and from earlier stages', async () => {
    const { root, workdir } = await build(
      'FROM node:1 AS one\nWORKDIR /app\nCOPY . .\nFROM one AS two\nWORKDIR /app\nCOPY --from=one /app/src ./lib\nCOPY package.json ./meta/',
    );
    const has = (path: string) => existsSync(join(root, workdir, path));
    expect(['package.json', 'src/a.js', 'lib/a.js', 'meta/package.json'].map(has)).toEqual([true, true, true, true]);
    expect(['src/a.spec.js', 'secret.env'].map(has)).toEqual([false, false]);
    expect(readFileSync(join(root, workdir, 'lib/a.js'), 'utf8')).toBe('src/a.js');
  });

  it('runs commands where the stage stands, with its variables', async () => {
    await build('FROM node:1 AS one\nWORKDIR /app\nENV A=1\nRUN make it');
    expect(ran).toEqual([{ command: 'make it', folder: join(folder, 'out/one/app'), env: { A: '1' } }]);
  });

  it.each([
    ['a file that is not there', 'COPY gone ./'],
    ['a file that the build may not see', 'COPY secret.env ./'],
    ['a stage that is not there', 'COPY --from=gone /app ./'],
  ])('refuses to copy %s', async (_what, line) => {
    await expect(build(`FROM node:1 AS one\nWORKDIR /app\n${line}`)).rejects.toThrow('COPY');
  });
});
