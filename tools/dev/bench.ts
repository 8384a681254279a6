import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Installer } from './checks/installer.js';
import { startTestServices } from './checks/test-services.js';
import { removeScratchFolder } from './checks/scratch-folder.js';
import { say } from './line-log.js';
import { ProcessGroup } from './processes/process-group.js';
import { loadDotEnv } from './settings.js';
import { stopOnSignals } from './shutdown.js';
import { StartError } from './start-error.js';

/** `npm run bench`: databases of its own, as durable as in production, then the measurements of bench/. */
export async function main({ root, args }: { root: string; args: string[] }): Promise<void> {
  loadDotEnv(root);
  // In the repository rather than in /tmp, which may be memory: what is measured must reach a disk.
  const folder = join(root, '.data', 'bench');
  const group = new ProcessGroup(undefined, (name) => say('bench', `${name} ended unexpectedly`));
  stopOnSignals(group, () => void group.stopAll());
  let code: number | null = 1;
  try {
    removeScratchFolder(folder);
    mkdirSync(join(folder, 'logs'), { recursive: true });
    const services = await startTestServices(group, new Installer(group), folder, true);
    const measurements = await group.spawn({
      name: 'bench',
      command: process.execPath,
      args: [join(root, 'dist/tools/bench/main.js'), ...args],
      env: services,
      cwd: root,
      kind: 'task',
      stopRank: 0,
      stopSignal: 'SIGTERM',
      stopBoundMs: 15_000,
      onOutput: (stdout, stderr) => {
        stdout.pipe(process.stdout, { end: false });
        stderr.pipe(process.stderr, { end: false });
      },
    });
    code = (await measurements.ended).code;
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
  } finally {
    await group.stopAll();
    removeScratchFolder(folder);
  }
  process.exit(code ?? 1);
}
