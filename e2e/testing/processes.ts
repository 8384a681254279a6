import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Processes that work in a folder or name it in their command: `<pid> <command>`, each. */
export function processesUnder(folder: string): string[] {
  if (process.platform !== 'linux') return listed().filter((line) => line.includes(folder));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const process = look(pid);
      return process && (process.cwd.startsWith(folder) || process.command.includes(folder))
        ? [`${pid} ${process.command}`]
        : [];
    });
}

function look(pid: string): { command: string; cwd: string } | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { command, cwd: readlinkSync(`/proc/${pid}/cwd`) };
  } catch {
    // The process has ended meanwhile, or is a zombie.
    return undefined;
  }
}

function listed(): string[] {
  return execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n');
}
