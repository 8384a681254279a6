import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { parse } from 'yaml';
import { repository } from './repository.js';

// Nobody's, on every Unix we know; root lends it to what it starts.
const NOBODY = 65_534;
const BUILT_WITHIN_MS = 900_000;

const run = promisify(execFile);

interface Built {
  readonly root: string;
  readonly workdir: string;
  readonly env: Record<string, string>;
  readonly user?: string;
  readonly command?: string[];
  readonly healthCommand?: string[];
}

interface Service {
  readonly command?: string[];
  readonly environment?: Record<string, string>;
  /** Seconds, 30s. */
  readonly stop_grace_period?: string;
}

/** The image as its Dockerfile makes it, in a folder of this machine; its programs are started as Compose starts them. */
export class Image {
  private constructor(
    private readonly folder: string,
    readonly built: Built,
  ) {}

  /** Performs every step of the Dockerfile: it installs the packages twice and builds. */
  static async build(): Promise<Image> {
    const folder = mkdtempSync(join(tmpdir(), 'pennytext-image-'));
    chmodSync(folder, 0o755);
    const program = join(repository, 'dist/tools/dev/image/main.js');
    const { stdout } = await run(process.execPath, [program, repository, folder], {
      timeout: BUILT_WITHIN_MS,
      maxBuffer: 64 * 1024 * 1024,
    });
    // The image brings a Node that everybody may start; this machine's may lie in somebody's home.
    copyFileSync(process.execPath, join(folder, 'node'));
    chmodSync(join(folder, 'node'), 0o755);
    return new Image(folder, JSON.parse(stdout) as Built);
  }

  /** The folder that is `/app` in a container. */
  get workdir(): string {
    return join(this.built.root, this.built.workdir);
  }

  /** How a service of docker-compose.yml is started: its command over the image's files, as somebody who owns none of them. */
  start(
    service: string,
    env: Record<string, string>,
  ): { command: string; args: string[]; cwd: string; uid?: number; gid?: number; env: Record<string, string> } {
    const { command, environment } = composeService(service);
    return { ...this.asUser(command ?? []), env: { ...this.built.env, ...env, ...environment } };
  }

  /** The health check of the image. */
  healthCheck(url: string): ReturnType<Image['start']> {
    return { ...this.asUser(this.built.healthCommand ?? []), env: { ...this.built.env, HEALTH_URL: url } };
  }

  /** Every file and folder with its size and time of change. */
  fingerprint(): Map<string, string> {
    const seen = new Map<string, string>();
    const look = (path: string) => {
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const file = join(path, entry.name);
        if (entry.isSymbolicLink()) continue;
        const { size, mtimeMs } = statSync(file);
        seen.set(relative(this.built.root, file), `${size} ${mtimeMs}`);
        if (entry.isDirectory()) look(file);
      }
    };
    look(this.built.root);
    return seen;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private asUser([node, ...args]: string[]): {
    command: string;
    args: string[];
    cwd: string;
    uid?: number;
    gid?: number;
  } {
    if (node !== 'node') throw new Error(`The image starts ${node}, and the test knows node alone`);
    const isRoot = process.getuid?.() === 0;
    return { command: join(this.folder, 'node'), args, cwd: this.workdir, ...(isRoot && { uid: NOBODY, gid: NOBODY }) };
  }
}

/** sandbox.env with this machine's addresses in the place of those in Compose's network. */
export function sandboxSettings(addresses: Record<string, string>): Record<string, string> {
  const settings = parseEnv(readFileSync(join(repository, 'sandbox.env'), 'utf8'));
  return Object.fromEntries(
    Object.entries(settings).map(([name, value = '']) => {
      const inPlace = Object.entries(addresses).find(([address]) => value.includes(address));
      return [name, inPlace ? value.replace(...inPlace) : value];
    }),
  );
}

/** How long Compose lets a service finish before it kills it. */
export function graceMs(service: string): number {
  return parseInt(composeService(service).stop_grace_period ?? '', 10) * 1_000;
}

function composeService(name: string): Service {
  const text = readFileSync(join(repository, 'docker-compose.yml'), 'utf8');
  const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
  const service = services[name];
  if (!service) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
}
