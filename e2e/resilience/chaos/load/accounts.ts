import { query } from '../../../../tools/testkit/postgres.js';
import type { Stage } from '../processes/stage.js';
import type { Client } from './client.js';
import { receiverKinds, type ReceiverKind, type Receivers } from './receivers.js';

/** A customer: sign-in, API key and the credits received without paying. */
export interface Account {
  readonly number: number;
  readonly email: string;
  readonly apiKey: string;
  readonly session: Readonly<Record<string, string>>;
  readonly receiver: ReceiverKind;
  /** Credits from the sign-up and a redeem code. */
  readonly given: number;
  /** Whether it has subscribed to status webhooks of messages and codes. */
  readonly isTold: boolean;
}

interface Plan {
  readonly receiver: ReceiverKind;
  /** Whether it redeems a code; other accounts only buy credits, and run out of them. */
  readonly isRich: boolean;
  readonly isTold: boolean;
}

const signUpCredits = 3;
const codeCredits = 100_000;
const setUpWithinMs = 60_000;
const plans: readonly Plan[] = [
  ...receiverKinds.map((receiver, n) => ({ receiver, isRich: true, isTold: n === 0 })),
  { receiver: 'well', isRich: false, isTold: false },
];
const told = [
  'message.sent',
  'message.delivered',
  'message.undelivered',
  'message.failed',
  'message.canceled',
  'otp.verified',
];
const sameOrigin = { 'sec-fetch-site': 'same-origin' };

/**
 * Customers who sign up, name a webhook and redeem a code: one for each kind of receiver, and one
 * who has to buy.
 */
export async function openAccounts(stage: Stage, client: Client, receivers: Receivers): Promise<Account[]> {
  const made = await stage.admin('code', 'create', '--credits', String(codeCredits), '--uses', String(plans.length));
  const { code } = JSON.parse(made.output) as { code: string };
  const accounts: Account[] = [];
  for (const [number, plan] of plans.entries()) {
    accounts.push(await open(client, number, plan, code, receivers.urlOf(number, plan.receiver)));
  }
  // The operator raises the limit of accounts that send much.
  await query(stage.databaseUrl, 'UPDATE accounts SET daily_limit = 10000000');
  return accounts;
}

async function open(client: Client, number: number, plan: Plan, code: string, url: string): Promise<Account> {
  const { receiver, isRich, isTold } = plan;
  const email = `chaos-${number}@pennytext.example`;
  const call = async (method: 'GET' | 'PUT' | 'POST', path: string, headers: Record<string, string>, body?: object) => {
    const request = { what: 'set-up', method, path, headers, ...(body && { body }) };
    const answer = await client.untilAnswered(request, Date.now() + setUpWithinMs);
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer;
  };
  const person = { username: `Customer ${number}`, email, password: 'Analytical1!' };
  const { cookies } = await call('POST', '/auth/signup', sameOrigin, person);
  const session = { ...sameOrigin, cookie: cookies.map((one) => one.split(';')[0]).join('; ') };
  const { text } = await call('GET', '/api/dashboard/key', session);
  const { apiKey } = JSON.parse(text) as { apiKey: string };
  await call('PUT', '/api/dashboard/webhook-url', session, { webhookUrl: url });
  if (isTold) await call('PUT', '/api/dashboard/webhook/events', session, { events: told });
  if (isRich) await call('POST', '/api/redeemcode', session, { code });
  const given = signUpCredits + (isRich ? codeCredits : 0);
  return { number, email, apiKey, session, receiver, given, isTold };
}
