import { spawn } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StartError } from '../start-error.js';
import { parseDockerfile } from './dockerfile.js';
import { Dockerignore } from './dockerignore.js';
import { performBuild, type RunCommand } from './perform-build.js';

/**
 * `node dist/tools/dev/image/main.js CONTEXT FOLDER`: performs the context's Dockerfile in an empty folder, and prints where
 * its last stage stands and how it is started, as JSON. For machines without a container engine, and for the tests.
 */
const [context, folder] = process.argv.slice(2).map((path) => resolve(path));
try {
  if (!context || !folder) throw new StartError('Usage: main.js CONTEXT FOLDER');
  const read = (name: string) => readFileSync(join(context, name), 'utf8');
  const dockerfile = parseDockerfile(read('Dockerfile'));
  const ignore = new Dockerignore(read('.dockerignore'));
  const { stage, ...image } = await performBuild(dockerfile, { context, ignore, folder, run });
  // Another user is to start it.
  chmodSync(folder, 0o755);
  const { user, command, healthCommand, stopSignal } = stage;
  process.stdout.write(`${JSON.stringify({ ...image, user, command, healthCommand, stopSignal })}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof StartError ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** With this machine's commands and its npm settings, and nothing else of its environment. */
function run(...[command, cwd, env]: Parameters<RunCommand>): Promise<void> {
  process.stderr.write(`${command}\n`);
  const { PATH = '', HOME = '' } = process.env;
  return new Promise((done, fail) => {
    // Its output goes where ours does not: that is read as JSON.
    const child = spawn('/bin/sh', ['-c', command], {
      cwd,
      env: { PATH, HOME, ...env },
      stdio: ['ignore', process.stderr, process.stderr],
    });
    child.once('error', fail);
    child.once('exit', (code, signal) =>
      code === 0 ? done() : fail(new StartError(`${command} failed (${signal ?? `exit code ${code}`}).`)),
    );
  });
}
