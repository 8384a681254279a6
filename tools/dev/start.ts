import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startedText } from './box.js';
import { SMTP_PORT_OFFSET } from './child-environment.js';
import { colour } from './colour.js';
import { say } from './line-log.js';
import { freePort, requireFreePorts } from './ports.js';
import { ProcessGroup, type ProcessEnd } from './processes/process-group.js';
import { ProcessLedger } from './processes/process-ledger.js';
import { Product } from './product.js';
import { loadSecrets } from './secrets.js';
import { loadDotEnv, settingsOf } from './settings.js';
import { stopOnSignals } from './shutdown.js';
import { StartError } from './start-error.js';

/** `npm start`: the whole product from one command, until Ctrl-C. */
export async function main({ root }: { root: string }): Promise<void> {
  const startedAtMs = Date.now();
  const dataDir = join(root, '.data');
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  const ledger = new ProcessLedger(join(dataDir, 'processes.json'));
  const abort = new AbortController();
  const group = new ProcessGroup(ledger, (name, end) => void stop(endLine(name, end)));

  /** Stops everything and ends the launcher: with 0 when that was wanted, with 1 when the line says what went wrong. */
  const stop = async (faultLine?: string): Promise<void> => {
    if (abort.signal.aborted) return;
    abort.abort(new Error('stopping'));
    if (faultLine) say('start', colour('red', faultLine));
    await group.stopAll();
    process.exit(faultLine ? 1 : 0);
  };
  stopOnSignals(group, () => {
    say('start', 'Stopping …');
    void stop();
  });

  try {
    loadDotEnv(root);
    const settings = settingsOf(process.env);
    const leftovers = await ledger.stopLeftovers();
    if (leftovers.length > 0) say('start', `Stopped what an earlier start left running: ${leftovers.join(', ')}`);
    const { port, workerPort, sandboxPort } = settings;
    await requireFreePorts({ PORT: port, WORKER_PORT: workerPort, SANDBOX_PORT: sandboxPort });
    // Nobody types the sandbox's SMTP port: a taken one is no reason to stop.
    process.env['SANDBOX_SMTP_PORT'] ||= String(await freePort(sandboxPort + SMTP_PORT_OFFSET));
    const secrets = loadSecrets(join(dataDir, 'secrets.json'));
    const content = await new Product(root, dataDir, settings, secrets, group, abort.signal).start();
    console.log(`\n${startedText({ ...content, tookMs: Date.now() - startedAtMs })}\n`);
  } catch (error) {
    await stop(faultLineOf(error));
  }
}

function endLine(name: string, { code, signal }: ProcessEnd): string {
  return `The ${name} ended unexpectedly (${signal ? `by ${signal}` : `exit code ${code}`}): stopping everything.`;
}

function faultLineOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' && path) return `No permission for ${path}: start as the user it belongs to, or delete .data.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
