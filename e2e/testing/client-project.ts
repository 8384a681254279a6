import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunningCli } from './sdk-project.js';

/** A language with a client: how a customer installs it from the site, and runs a program. */
interface Toolchain {
  readonly command: string;
  readonly version: string;
  readonly file: string;
  /** Commands that install the client from the site, in a shell. */
  readonly install: (clients: string) => string;
  readonly run: (file: string) => readonly string[];
}

const VERSION = '0.1.0';

export const toolchains = {
  typescript: {
    command: 'npm',
    version: '--version',
    file: 'client.mjs',
    install: (clients) => `npm install --no-audit --no-fund --silent ${clients}/../pennytext.tgz`,
    run: (file) => ['node', file],
  },
  python: {
    command: 'python3',
    version: '--version',
    file: 'client.py',
    install: (clients) => `curl -sfO ${clients}/pennytext-${VERSION}-py3-none-any.whl`,
    run: (file) => ['env', `PYTHONPATH=pennytext-${VERSION}-py3-none-any.whl`, 'python3', '-W', 'error', file],
  },
  php: {
    command: 'composer',
    version: '--version',
    file: 'client.php',
    install: (clients) =>
      `echo '{}' >composer.json && mkdir packages &&
       curl -sf -o packages/pennytext.zip ${clients}/pennytext-php-${VERSION}.zip &&
       composer -q config repo.packagist false && composer -q config repositories.pennytext artifact packages &&
       composer -q require pennytext/pennytext`,
    run: (file) => ['php', '-d', 'display_errors=stderr', '-d', 'error_reporting=-1', file],
  },
  ruby: {
    command: 'ruby',
    version: '--version',
    file: 'client.rb',
    install: (clients) =>
      `curl -sfO ${clients}/pennytext-${VERSION}.gem &&
       gem install --quiet --silent --no-document --local --install-dir gems pennytext-${VERSION}.gem`,
    run: (file) => ['env', 'GEM_PATH=gems', 'ruby', '-w', file],
  },
  go: {
    command: 'go',
    version: 'version',
    file: 'client.go',
    install: (clients) =>
      `go mod init shop 2>/dev/null && GOPROXY=${clients}/go GONOSUMDB=pennytext.example GOFLAGS=-modcacherw \
       GOMODCACHE=$PWD/modules go get pennytext.example/pennytext 2>/dev/null`,
    run: (file) => ['sh', '-c', `GOMODCACHE=$PWD/modules GOFLAGS=-mod=mod GOPROXY=off go run ${file}`],
  },
  java: {
    command: 'java',
    version: '-version',
    file: 'Client.java',
    install: (clients) => `curl -sfO ${clients}/pennytext-${VERSION}.jar`,
    // The optimizing compiler and the parallel collector cost more than these programs do.
    run: (file) =>
      `java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dfile.encoding=UTF-8 -cp pennytext-${VERSION}.jar ${file}`.split(
        ' ',
      ),
  },
} as const satisfies Record<string, Toolchain>;
export type ClientLanguage = keyof typeof toolchains;

export const clientLanguages = Object.keys(toolchains) as ClientLanguage[];

/** Whether this machine has the language's tools. */
export function hasToolchain(language: ClientLanguage): boolean {
  const { command, version } = toolchains[language];
  return spawnSync(command, [version], { stdio: 'ignore' }).status === 0;
}

/** A customer's empty project, with a client as the site serves it and nothing else. */
export class ClientProject {
  private constructor(
    private readonly toolchain: Toolchain,
    readonly folder: string,
  ) {}

  /** Installs the client from a site. Throws if that fails. */
  static async create(language: ClientLanguage, siteUrl: string): Promise<ClientProject> {
    const toolchain = toolchains[language];
    const project = new ClientProject(toolchain, mkdtempSync(join(tmpdir(), `pennytext-${language}-`)));
    const { code, errors } = await project.start(['sh', '-c', toolchain.install(`${siteUrl}/clients`)]);
    if (code !== 0) throw new Error(`The ${language} client was not installed: ${errors}`);
    return project;
  }

  write(name: string, content: string | Uint8Array): void {
    writeFileSync(join(this.folder, name), content);
  }

  /** Runs a program; the code is 0 when it ended well. */
  run(text: string): Promise<{ code: number | null; output: string; errors: string }> {
    this.write(this.toolchain.file, text);
    return this.start(this.toolchain.run(this.toolchain.file));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private start([command = '', ...args]: readonly string[]) {
    const { PATH = '', HOME = '' } = process.env;
    const running = new RunningCli(command, args, { PATH, HOME }, this.folder);
    running.write('');
    return running.ended();
  }
}
