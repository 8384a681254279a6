import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { colour } from '../colour.js';
import { findCommand } from '../find-command.js';
import type { ProcessGroup } from '../processes/process-group.js';
import { textOf } from '../text-of.js';
import { StartError } from '../start-error.js';

// Debian asks this script before a package starts its service; 101 forbids it (invoke-rc.d(8)).
const policyFile = '/usr/sbin/policy-rc.d';

/** Installs what the tests need and the machine lacks, saying so. */
export class Installer {
  constructor(private readonly group: ProcessGroup) {}

  get hasApt(): boolean {
    return process.getuid?.() === 0 && findCommand('apt-get') !== undefined;
  }

  /** Debian packages, without starting any service of theirs. */
  async apt(...packages: string[]): Promise<void> {
    const isOurPolicy = !existsSync(policyFile);
    if (isOurPolicy) writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    try {
      await this.run('apt-get', ['update', '-qq']);
      await this.run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages]);
    } finally {
      if (isOurPolicy) rmSync(policyFile, { force: true });
    }
  }

  /** Runs an installing command. Throws StartError with the end of its output when it fails. */
  async run(command: string, args: string[]): Promise<void> {
    console.log(colour('grey', `Installing: ${command} ${args.join(' ')}`));
    let output: Promise<string[]> | undefined;
    const child = await this.group.spawn({
      name: command,
      command,
      args,
      env: { DEBIAN_FRONTEND: 'noninteractive' },
      kind: 'task',
      stopRank: 0,
      stopSignal: 'SIGTERM',
      stopBoundMs: 10_000,
      onOutput: (stdout, stderr) => {
        output = Promise.all([textOf(stdout), textOf(stderr)]);
      },
    });
    const { code } = await child.ended;
    if (code === 0) return;
    const lines = ((await output) ?? []).join('\n').trim().split('\n').slice(-3).join(' ');
    throw new StartError(`${command} ${args.join(' ')} failed: ${lines}`);
  }
}
