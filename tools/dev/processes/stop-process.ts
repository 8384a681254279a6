import { isAlive, type ProcessIdentity } from './process-identity.js';
import { waitUntil } from './wait-until.js';

/** Asks a process to end, waits up to `boundMs`, then ends it by force. Also fits processes that are not our children. */
export async function stopProcess(identity: ProcessIdentity, signal: NodeJS.Signals, boundMs: number): Promise<void> {
  sendSignal(identity, signal);
  if (await waitUntil(() => !isAlive(identity), boundMs)) return;
  sendSignal(identity, 'SIGKILL');
  await waitUntil(() => !isAlive(identity), 5_000);
}

/** Sends a signal to this very process; one that has ended is left alone. */
export function sendSignal(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch (error) {
    // It ended between the look and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
