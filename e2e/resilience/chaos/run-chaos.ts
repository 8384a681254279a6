import { Carrier } from '../../../tools/testkit/carrier.js';
import type { Certificates } from '../../../tools/testkit/certificates.js';
import { holdsOf, type Invariant } from '../../../tools/testkit/invariants.js';
import type { Cluster } from '../../../tools/testkit/postgres.js';
import { Vendors } from '../../../tools/testkit/vendors.js';
import { Dice } from './dice.js';
import { disturb } from './events/director.js';
import { usualCarrier } from './events/disturbances.js';
import { openAccounts } from './load/accounts.js';
import { CarrierFeed } from './load/carrier-feed.js';
import { Client } from './load/client.js';
import { buyForAll } from './load/purchases.js';
import { Receivers } from './load/receivers.js';
import { Records } from './load/records.js';
import { Traffic } from './load/traffic.js';
import type { Options } from './options.js';
import { Outages } from './processes/outages.js';
import { type CitusNodes, Stage } from './processes/stage.js';
import { moneyInvariants, newsInvariants, replyInvariants } from './invariants/account-invariants.js';
import { gather } from './invariants/evidence.js';
import { logInvariants } from './invariants/log-invariants.js';
import { codeInvariants, messageInvariants, scheduleInvariants } from './invariants/message-invariants.js';
import { reachQuiescence } from './invariants/quiescence.js';
import type { Findings } from './report/report.js';
import { Tally } from './report/tally.js';
import type { Run } from './run.js';

/** Time after the load; the carrier is asked for missing receipts ever less often. */
const quiescentWithinMs = 240_000;
const answersWithinMs = 120_000;
const loadSeedOffset = 1;

interface ChaosOptions extends Options {
  readonly root: string;
  readonly logFolder: string;
  readonly postgres: Cluster;
  /** The cluster that `postgres` is a node of. */
  readonly nodes?: CitusNodes | undefined;
  readonly certificates?: Certificates | undefined;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

/**
 * Starts the product, loads it, injects faults, waits for quiescence, and checks the invariants.
 */
export async function runChaos(options: ChaosOptions): Promise<Findings> {
  const { root, logFolder, postgres, nodes, certificates, roles, seed, signal } = options;
  const outages = new Outages();
  const tally = new Tally();
  const onFault = (text: string) => tally.fault(text);
  const stage = await Stage.start({ root, logFolder, postgres, nodes, certificates, roles, outages, onFault });
  const receivers = await Receivers.start();
  const client = new Client(stage.serverUrls, outages, tally);
  const carrier = new Carrier(stage.sandboxUrl);
  const feed = new CarrierFeed(carrier);
  try {
    signal.throwIfAborted();
    const accounts = await openAccounts(stage, client, receivers);
    const run: Run = {
      seed,
      dice: new Dice(seed + loadSeedOffset),
      vendors: new Vendors(stage.sandboxUrl),
      records: new Records(),
      patienceEndsMs: Date.now() + options.seconds * 1_000 + answersWithinMs,
      stage,
      outages,
      client,
      carrier,
      feed,
      receivers,
      accounts,
      tally,
    };
    return await loadAndCheck(run, options);
  } finally {
    await feed.stop();
    await client.close();
    await receivers.stop();
    await stage.stop();
  }
}

async function loadAndCheck(run: Run, { seconds, say, signal, logFolder }: ChaosOptions): Promise<Findings> {
  const { records, tally, receivers, accounts } = run;
  await usualCarrier(run.carrier);
  const traffic = new Traffic(run);
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  try {
    await Promise.race([disturb(run, Date.now() + seconds * 1_000, say), stopped]);
  } finally {
    say('the load ends; everything runs again');
    await traffic.stop();
    if (!signal.aborted) await buyForAll(run);
  }
  const rest = await Promise.race([reachQuiescence(run, quiescentWithinMs), stopped]);
  say('quiescent: checking the invariants');
  const evidence = await gather(run);
  const logs = logInvariants(logFolder);
  const invariants = [
    ...messageInvariants(records.sends, evidence),
    ...scheduleInvariants(records, evidence),
    ...codeInvariants(records.verifies, evidence),
    ...replyInvariants(records.replies, evidence, receivers.calls),
    ...newsInvariants(accounts, evidence, records.verifies, receivers.calls),
    ...moneyInvariants(accounts, records, evidence),
    await ledgerInvariant(run),
    ...logs.invariants,
  ];
  return { seed: run.seed, seconds, records, tally, rest, invariants, complaints: logs.complaints };
}

async function ledgerInvariant({ stage }: Run): Promise<Invariant> {
  const check = await stage.admin('ledger', 'check');
  return holdsOf('the ledger check of the operator finds nothing', [check], ({ code, output }) => {
    const isClean = code === 0 && (JSON.parse(output) as { mismatches: number }).mismatches === 0;
    return isClean ? undefined : `exit code ${code}: ${output}`;
  });
}
