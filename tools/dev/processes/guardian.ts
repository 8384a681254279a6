import { spawn, type ChildProcess } from 'node:child_process';

/**
 * A shell of one megabyte that only waits for its input to end. That happens when the launcher dies, however it dies; then it
 * stops every process it was told of: politely, and by force after ten seconds.
 */
export const guardianScript = `
trap '' INT TERM HUP
list=
while read -r verb signal pid; do
  case $verb in
    add) list="$list $signal:$pid" ;;
    drop) kept=; for entry in $list; do [ "\${entry#*:}" = "$pid" ] || kept="$kept $entry"; done; list=$kept ;;
    done) exit 0 ;;
  esac
done
for entry in $list; do kill -s "\${entry%%:*}" "\${entry#*:}"; done
tries=0
while [ $tries -lt 50 ]; do
  alive=
  for entry in $list; do kill -0 "\${entry#*:}" && alive=yes; done
  [ -n "$alive" ] || exit 0
  tries=$((tries + 1))
  sleep 0.2
done
for entry in $list; do kill -s KILL "\${entry#*:}"; done
`;

/** Sees to it that children do not outlive a launcher that was killed with -9. */
export class Guardian {
  private readonly shell: ChildProcess;

  constructor() {
    this.shell = spawn('/bin/sh', ['-c', guardianScript], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    // A guardian that was killed costs the safety net, not the product.
    this.shell.stdin?.on('error', () => undefined);
    this.shell.unref();
  }

  watch(pid: number, stopSignal: NodeJS.Signals): void {
    this.tell(`add ${stopSignal.replace('SIG', '')} ${pid}`);
  }

  forget(pid: number): void {
    this.tell(`drop - ${pid}`);
  }

  dismiss(): void {
    this.tell('done - -');
    this.shell.stdin?.end();
  }

  private tell(line: string): void {
    this.shell.stdin?.write(`${line}\n`);
  }
}
