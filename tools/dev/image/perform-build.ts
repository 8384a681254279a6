import { copyFileSync, linkSync, mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { StartError } from '../start-error.js';
import type { Dockerfile, Stage, Step } from './dockerfile.js';
import type { Dockerignore } from './dockerignore.js';

/** Runs a shell command in a folder; throws when it fails. */
export type RunCommand = (command: string, folder: string, env: Readonly<Record<string, string>>) => Promise<void>;

/** A stage as it stands in a folder of its own: `/app` of the image is `root` + `/app`. */
export interface BuiltStage {
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Build {
  readonly context: string;
  readonly ignore: Dockerignore;
  /** An empty folder, where each stage gets one of its own. */
  readonly folder: string;
  readonly run: RunCommand;
}

/**
 * Performs a Dockerfile's steps on this machine, without a container: what a base image would bring comes from here. Answers
 * the last stage. Throws StartError for a step that leads nowhere, and whatever `run` throws.
 */
export async function performBuild({ stages }: Dockerfile, build: Build): Promise<BuiltStage & { stage: Stage }> {
  const built = new Map<string, BuiltStage>();
  let last: (BuiltStage & { stage: Stage }) | undefined;
  for (const stage of stages) {
    last = { ...(await performStage(stage, built, build)), stage };
    built.set(stage.name, last);
  }
  if (!last) throw new StartError('The Dockerfile has no stage.');
  return last;
}

async function performStage(stage: Stage, earlier: ReadonlyMap<string, BuiltStage>, build: Build): Promise<BuiltStage> {
  const base = earlier.get(stage.base);
  const root = join(build.folder, stage.name);
  mkdirSync(root, { recursive: true });
  if (base) copyTree(base.root, root, () => true, copyFileSync);
  let [workdir, env] = [base?.workdir ?? '/', { ...base?.env }];
  for (const step of stage.steps) {
    const here = join(root, workdir);
    if (step.kind === 'workdir') {
      workdir = resolve(workdir, step.path);
      mkdirSync(join(root, workdir), { recursive: true });
    } else if (step.kind === 'env') env = { ...env, [step.name]: step.value };
    else if (step.kind === 'run') await build.run(step.command, here, env);
    else copy(step, join(root, resolve(workdir, step.target)), earlier, build);
  }
  return { root, workdir, env };
}

/** COPY: a folder brings what is in it; a file goes into a target that ends with a slash. */
function copy(
  { from, sources, target }: Step & { kind: 'copy' },
  targetPath: string,
  earlier: ReadonlyMap<string, BuiltStage>,
  { context, ignore }: Build,
): void {
  const stage = from === undefined ? undefined : earlier.get(from);
  if (from !== undefined && !stage) throw new StartError(`COPY --from=${from}: there is no such stage before it.`);
  const top = stage?.root ?? context;
  const isSeen = (path: string) => stage !== undefined || path === '' || !ignore.excludes(path);
  for (const source of sources) {
    const path = join(top, source);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat || !isSeen(relative(top, path))) throw new StartError(`COPY ${source}: there is no such file to copy.`);
    const into = stat.isDirectory() || !/(^\.|\/)$/.test(target) ? targetPath : join(targetPath, basename(source));
    // What a stage hands on nobody changes any more: a second name for a file is as good as a copy, and much faster.
    copyTree(path, into, (file) => isSeen(relative(top, file)), stage ? linkSync : copyFileSync);
  }
}

type Place = (from: string, to: string) => void;

/** Puts a file, or what is in a folder, where it belongs. A folder that is not seen is not entered. */
function copyTree(from: string, to: string, isSeen: (path: string) => boolean, place: Place): void {
  if (!statSync(from).isDirectory()) {
    mkdirSync(dirname(to), { recursive: true });
    place(from, to);
    return;
  }
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (!isSeen(source)) continue;
    if (entry.isDirectory()) copyTree(source, target, isSeen, place);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else place(source, target);
  }
}
