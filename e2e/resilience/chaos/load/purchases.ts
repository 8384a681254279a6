import { packs, type Pack } from '#contract/packs.js';
import type { Account } from './accounts.js';
import type { Run } from '../run.js';

const comesBackPercent = 60;
/** Share of purchases that are certain to be the last account's, which has bought credits only. */
const poorPercent = 20;

/** Gives every account credits, so that held replies are released. */
export async function buyForAll(run: Run): Promise<void> {
  const pack = packs.at(-1);
  if (pack) await Promise.all(run.accounts.map((account) => buy(run, account, pack, `last-${account.number}`)));
}

/**
 * A customer buys a pack. The event arrives subject to Stripe's faults, and often the browser
 * returns too.
 */
export async function buyOne(run: Run, n: number): Promise<void> {
  const { dice, accounts } = run;
  const account = dice.percent(poorPercent) ? dice.pick(accounts.slice(-1)) : dice.pick(accounts);
  await buy(run, account, dice.pick(packs), `purchase-${n}`);
}

async function buy(run: Run, account: Account, { id, credits }: Pack, key: string): Promise<void> {
  const { dice, client, vendors, records, patienceEndsMs } = run;
  const comesBack = dice.percent(comesBackPercent);
  const headers = { ...account.session, 'idempotency-key': key };
  const request = { what: 'checkout', method: 'POST', path: '/api/checkout', headers, body: { pack: id } } as const;
  const { status, text } = await client.untilAnswered(request, patienceEndsMs);
  if (status !== 200) return;
  const { sessionId } = JSON.parse(text) as { sessionId: string };
  if (!(await vendors.pay(sessionId))) throw new Error(`The session ${sessionId} could not be paid`);
  records.purchases.push({ account, sessionId, credits });
  if (!comesBack) return;
  const returned = {
    what: 'checkout',
    method: 'GET',
    path: `/api/checkout/${sessionId}`,
    headers: account.session,
  } as const;
  await client.untilAnswered(returned, patienceEndsMs);
}
