import { setTimeout as pause } from 'node:timers/promises';
import type { Carrier, FaultMode } from '../../../../tools/testkit/carrier.js';
import type { Dice } from '../dice.js';
import type { Member } from '../processes/member.js';
import type { Run } from '../run.js';

/** A fault that lasts until `happen` resolves. */
export interface Disturbance {
  readonly title: string;
  /** The affected parts. Two faults of the same part do not happen at the same time. */
  readonly hits: readonly string[];
  readonly happen: () => Promise<void>;
}

const downMs = { least: 300, most: 3_000 };
const faultMs = { least: 2_000, most: 5_000 };
const usualMs = 100;
const slowMs = 800;
/**
 * Postgres takes SIGQUIT for "immediate": no checkpoint, so the next start recovers from the log,
 * as after a crash.
 */
const crashesOfPostgres: readonly NodeJS.Signals[] = ['SIGQUIT', 'SIGKILL'];
/** Postgres takes SIGINT for "fast": sessions end at once, and a checkpoint is written. */
const restartOfPostgres: NodeJS.Signals = 'SIGINT';
const killsInTurns = 4;
const turnMs = { least: 300, most: 1_500 };
const skewedMs = { least: 6_000, most: 12_000 };
const skewSeconds = 90;

/** Each kind of process in turn, by SIGTERM and by kill -9, at the beginning of a run. */
export function inTurn(run: Run, dice: Dice): Disturbance[] {
  const { servers, workers, redis, postgres } = run.stage;
  return [
    ...[servers, workers].flatMap((pair) =>
      dice.shuffled(pair).map((member, n) => restart(dice, member, n === 0 ? 'SIGTERM' : 'SIGKILL')),
    ),
    restart(dice, redis, 'SIGKILL'),
    restart(dice, postgres, dice.pick(crashesOfPostgres)),
  ];
}

/** Every process, in every way. */
export function restartsOf(run: Run, dice: Dice): Disturbance[] {
  const { servers, workers, redis, postgres } = run.stage;
  return [
    ...[...servers, ...workers].flatMap((member) => [
      restart(dice, member, 'SIGTERM'),
      restart(dice, member, 'SIGKILL'),
    ]),
    restart(dice, redis, 'SIGKILL'),
    ...[...crashesOfPostgres, restartOfPostgres].map((signal) => restart(dice, postgres, signal)),
    flush(run),
    workersInTurns(run, dice),
    ...[skewSeconds, -skewSeconds].map((seconds) => skewedClock(dice, dice.pick(workers), seconds)),
  ];
}

/** Redis loses its data and continues. */
function flush({ stage, outages }: Run): Disturbance {
  return {
    title: 'redis flushed',
    hits: [stage.redis.name],
    happen: async () => {
      outages.begin('redis');
      await stage.flushRedis();
      outages.end('redis');
    },
  };
}

/**
 * Kills the workers one after the other, each as soon as the previous worker is ready again: a
 * message may lose several workers in a row.
 */
function workersInTurns({ stage: { workers } }: Run, dice: Dice): Disturbance {
  const pauses = Array.from({ length: killsInTurns }, () => dice.between(turnMs.least, turnMs.most));
  return {
    title: 'both workers ended by kill -9 in turns',
    hits: workers.map(({ name }) => name),
    happen: async () => {
      for (const [turn, pauseMs] of pauses.entries()) {
        const member = workers[turn % workers.length];
        if (!member) throw new Error('No worker exists');
        await member.end('SIGKILL');
        await pause(pauseMs);
        await member.start();
      }
    },
  };
}

/** A worker runs for a while with a clock that is ahead or behind. */
function skewedClock(dice: Dice, member: Member, seconds: number): Disturbance {
  const lastsMs = dice.between(skewedMs.least, skewedMs.most);
  const preload = new URL('../processes/skewed-clock.js', import.meta.url).href;
  return {
    title: `worker with a clock ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}`,
    hits: [member.name],
    happen: async () => {
      await member.end('SIGTERM');
      await member.start({ NODE_OPTIONS: `--import=${preload}`, CLOCK_SKEW_SECONDS: String(seconds) });
      await pause(lastsMs);
      await member.end('SIGKILL');
      await member.start();
    },
  };
}

/** Faults of the carrier and the card company. */
export function faultsOf(run: Run, dice: Dice): Disturbance[] {
  const carrier: [FaultMode, { count?: number; delayMs?: number }][] = [
    ['429', {}],
    ['500', {}],
    ['delay', { delayMs: slowMs }],
    ['timeout', { count: 20 }],
    ['lost-answer', {}],
    ['accepted-then-5xx', {}],
    ['suspended', {}],
    ['duplicate-callback', {}],
    ['no-callback', {}],
    ['undelivered', {}],
    ['refuse', { count: 20 }],
  ];
  const stripe = ['500', 'timeout', 'lost-answer', 'no-webhook', 'duplicate-webhook', 'late-webhook'];
  return [
    ...carrier.map(([mode, bounds]) => {
      const begin = () => run.carrier.misbehave(mode, bounds);
      return passing(run, dice, { service: 'twilio', mode, begin, end: () => usualCarrier(run.carrier) });
    }),
    ...stripe.map((mode) => {
      const set = (to: string) => run.vendors.misbehave({ service: 'stripe', mode: to });
      return passing(run, dice, { service: 'stripe', mode, begin: () => set(mode), end: () => set('none') });
    }),
  ];
}

/** The carrier takes a moment for each message, so that a crashed process has calls in flight. */
export function usualCarrier(carrier: Carrier): Promise<void> {
  return carrier.misbehave('delay', { delayMs: usualMs });
}

function restart(dice: Dice, member: Member, signal: NodeJS.Signals): Disturbance {
  const downForMs = dice.between(downMs.least, downMs.most);
  const isOrderly = signal === 'SIGTERM' || signal === restartOfPostgres;
  const how = isOrderly ? `restarted by ${signal}` : `ended by ${signal === 'SIGKILL' ? 'kill -9' : signal}`;
  return {
    title: `${member.name.replace(/-\d$/, '')} ${how}`,
    hits: [member.name],
    happen: async () => {
      await member.end(signal);
      await pause(downForMs);
      await member.start();
    },
  };
}

interface Passing {
  readonly service: 'twilio' | 'stripe';
  readonly mode: string;
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
}

function passing({ outages, stage }: Run, dice: Dice, { service, mode, begin, end }: Passing): Disturbance {
  const lastsMs = dice.between(faultMs.least, faultMs.most);
  return {
    title: `${service}: ${mode}`,
    // Without Postgres no message is dispatched, so no message would meet the fault.
    hits: service === 'twilio' ? [service, stage.postgres.name] : [service],
    happen: async () => {
      outages.begin(service);
      await begin();
      await pause(lastsMs);
      await end();
      outages.end(service);
    },
  };
}
