import type { ProcessGroup } from './processes/process-group.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
// npm passes a Ctrl-C on that the terminal has sent us already: two signals at once are one wish.
const sameWishMs = 1_000;
const parentLookMs = 500;

/** Stops the group at the first signal and ends the launcher; a second signal stops everything by force. */
export function stopOnSignals(group: ProcessGroup, onStop: (signal: NodeJS.Signals) => void): void {
  let firstAtMs: number | undefined;
  // Writing to a terminal that was closed must not keep us from stopping.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const onSignal = (signal: NodeJS.Signals) => {
    if (firstAtMs === undefined) {
      firstAtMs = Date.now();
      onStop(signal);
    } else if (Date.now() - firstAtMs > sameWishMs) {
      group.killAll();
    }
  };
  for (const signal of signals) process.on(signal, onSignal);
  watchParent(() => onSignal('SIGTERM'));
}

// npm passes SIGTERM on to the shell it starts us with, which dies of it and tells nobody: a new parent is our sign.
function watchParent(onLoss: () => void): void {
  if (!process.env['npm_lifecycle_event']) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onLoss();
  }, parentLookMs);
  timer.unref();
}
