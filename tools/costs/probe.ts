import { EventEmitter } from 'node:events';
import diagnostics from 'node:diagnostics_channel';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { TimerOptions } from 'node:timers';
import timersPromises from 'node:timers/promises';
import { GCProfiler, getHeapStatistics } from 'node:v8';

// Loaded into server and worker before their own code (`node --import`). Holds the clock and long timers, so that
// no schedule runs while a message is measured; hands requests over together, so that batches do not depend
// on the machine; and counts requests and allocated bytes. Takes commands on PROBE_PORT of loopback.

/** Counts of a process between `begin` and `end`. */
export interface ProbeCounts {
  readonly requestsIn: number;
  readonly requestsOut: number;
  readonly allocatedBytes: number;
}

/**
 * Pauses of schedules, renewals and time limits are longer; pauses in a message's path are shorter.
 */
const LONG_MS = 200;

const held = new Map<object, () => void>();
let frozen: { readonly thawed: Promise<void>; readonly thaw: () => void } | undefined;

// The clock stands still too, so that data of the last second, such as routes, is not read again.
const [clock, stopwatch] = [Date.now, performance.now.bind(performance)];
let stoppedAt: { readonly clock: number; readonly stopwatch: number } | undefined;
Date.now = () => stoppedAt?.clock ?? clock();
performance.now = () => stoppedAt?.stopwatch ?? stopwatch();

const begin = globalThis.setTimeout;
const repeat = globalThis.setInterval;
const cancel = globalThis.clearTimeout;

function setTimeoutHeld(work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): NodeJS.Timeout {
  if (!(ms >= LONG_MS)) return begin(work, ms, ...args);
  const run = () => work(...args);
  const timer = begin(() => (frozen ? void held.set(timer, run) : run()), ms);
  return timer;
}

function setIntervalHeld(work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): NodeJS.Timeout {
  return repeat(() => (frozen && ms >= LONG_MS ? undefined : work(...args)), ms);
}

function clearTimeoutHeld(timer: NodeJS.Timeout | string | number | undefined): void {
  if (typeof timer === 'object') held.delete(timer);
  cancel(timer);
}

Object.assign(globalThis, {
  setTimeout: Object.assign(setTimeoutHeld, begin),
  setInterval: Object.assign(setIntervalHeld, repeat),
  clearTimeout: clearTimeoutHeld,
});
const pause = timersPromises.setTimeout;
timersPromises.setTimeout = async <T>(ms?: number, value?: T, options?: TimerOptions) => {
  await pause(ms, undefined, options);
  if ((ms ?? 0) >= LONG_MS) await frozen?.thawed;
  options?.signal?.throwIfAborted();
  return value as T;
};
syncBuiltinESMExports();

function freeze(): void {
  if (frozen) return;
  let end: () => void = () => undefined;
  const thawed = new Promise<void>((resolve) => (end = resolve));
  frozen = { thawed, thaw: end };
  stoppedAt = { clock: clock(), stopwatch: stopwatch() };
}

function thaw(): void {
  stoppedAt = undefined;
  frozen?.thaw();
  frozen = undefined;
  const due = [...held.values()];
  held.clear();
  for (const work of due) work();
}

/** Longest pause between two requests of one caller. */
const SILENT_MS = 60;

/** Requests that wait until no more come, so that the process takes all of them at once. */
let gate: { readonly waiting: (() => void)[]; timer: NodeJS.Timeout | undefined } | undefined;

function passAll(): void {
  for (const pass of gate?.waiting.splice(0) ?? []) pass();
}

http.Server.prototype.emit = function (this: http.Server, event: string | symbol, ...args: unknown[]): boolean {
  const hand = () => EventEmitter.prototype.emit.call(this, event, ...args);
  if (event !== 'request' || !gate || this === control) return hand();
  gate.waiting.push(hand);
  cancel(gate.timer);
  gate.timer = begin(passAll, SILENT_MS);
  return true;
};

let requestsIn = 0;
let requestsOut = 0;
diagnostics.subscribe('http.server.request.start', () => (requestsIn += 1));
for (const channel of ['http.client.request.start', 'undici:request:create'])
  diagnostics.subscribe(channel, () => (requestsOut += 1));

let profiler = new GCProfiler();
let usedAtStart = 0;

function startCounting(): void {
  [requestsIn, requestsOut] = [0, 0];
  profiler = new GCProfiler();
  profiler.start();
  usedAtStart = getHeapStatistics().used_heap_size;
}

/** The heap grows by allocations, and shrinks in collections only. */
function counted(): ProbeCounts {
  const usedAtEnd = getHeapStatistics().used_heap_size;
  const { statistics } = profiler.stop();
  const growths = statistics.map(({ beforeGC }, index) => {
    const after = statistics[index - 1]?.afterGC.heapStatistics.usedHeapSize ?? usedAtStart;
    return beforeGC.heapStatistics.usedHeapSize - after;
  });
  const last = usedAtEnd - (statistics.at(-1)?.afterGC.heapStatistics.usedHeapSize ?? usedAtStart);
  // This call is one of the requests.
  return {
    requestsIn: requestsIn - 1,
    requestsOut,
    allocatedBytes: growths.reduce((sum, growth) => sum + growth, last),
  };
}

const commands: Readonly<Record<string, () => unknown>> = {
  '/freeze': freeze,
  '/thaw': thaw,
  '/hold': () => void (gate = { waiting: [], timer: undefined }),
  '/release': () => {
    passAll();
    gate = undefined;
  },
  '/begin': startCounting,
  '/end': counted,
};

const control = http.createServer((request, response) => {
  response.end(JSON.stringify(commands[request.url ?? '']?.() ?? null));
});
control.listen(Number(process.env['PROBE_PORT']), '127.0.0.1');
// The program decides when the process ends.
control.unref();
