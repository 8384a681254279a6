import { z } from 'zod';
import { AccountErasure } from '../../accounts/account-erasure.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { Checkouts } from '../checkouts.js';
import { PaymentEvents } from '../payment-events.js';
import { Invoices } from './invoices.js';
import {
  InvoicesRepository,
  lockCounter,
  takePayments,
  type Invoice,
  type PaymentToInvoice,
} from './invoices.repository.js';

const seller = { INVOICE_SELLER_NAME: 'Penny LLC', INVOICE_SELLER_ADDRESS: '1 Main St | Springfield' };
const details = { company: 'Ada & Sons', address: '2 Side St\nLondon', vatId: 'GB 123' };

describe('invoices', () => {
  let bed: TestBed;
  let core: TestCore;
  let other: TestCore;
  let account: TestAccount;

  beforeEach(async () => {
    bed = await createTestBed();
    [core, other] = await Promise.all([createTestCore(bed.config(seller)), createTestCore(bed.config(seller))]);
    account = await createTestAccount(core);
  });

  afterEach(async () => {
    await core?.close();
    await other?.close();
    await bed?.remove();
  });

  const buy = async (of = account) => {
    const { sessionId } = await core.get(Checkouts).open({ accountId: of.id, pack: 'basic' });
    await core.get(PaymentEvents).handle({ kind: 'session', session: core.cardPayments.pay(sessionId) });
    return sessionId;
  };
  const refund = (sessionId: string, refundedCents: number) =>
    core.get(PaymentEvents).handle({ kind: 'refunded', cardPaymentId: `pi_${sessionId}`, refundedCents });
  const issue = () => Promise.all(Array.from({ length: 6 }, (_, n) => (n % 2 ? other : core).get(Invoices).issue()));
  const list = async (of = account) => (await core.get(Invoices).page(of.id, 1)).invoices;
  const numbers = async () =>
    (await bed.database.sql<{ number: string }>('SELECT number FROM invoices ORDER BY number')).map(({ number }) =>
      Number(number),
    );

  it('are issued once for every payment, with numbers without gaps across accounts and processes', async () => {
    const stranger = await createTestAccount(core);
    for (let count = 0; count < 3; count += 1) await Promise.all([buy(), buy(stranger)]);
    await issue();
    await buy();
    await issue();
    expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect((await list())[0]).toEqual({
      number: 7,
      kind: 'invoice',
      date: expect.stringMatching(/^\d+\/\d+\/\d{4}, /),
      amount: '$10.00',
      credits: 250,
      corrects: null,
    });
    await expect(core.get(Invoices).get(stranger.id, 7)).rejects.toMatchObject({ code: 'invoice_not_found' });
  });

  it('take no number when the transaction fails', async () => {
    await buy();
    await bed.database.sql(`ALTER TABLE invoices ADD CONSTRAINT broken CHECK (credits <> 250)`);
    await expect(core.get(Invoices).issue()).rejects.toThrow('broken');
    await bed.database.sql(`ALTER TABLE invoices DROP CONSTRAINT broken`);
    await issue();
    expect(await numbers()).toEqual([1]);
  });

  it('are corrected by a credit note for each refund, also when the refund came first', async () => {
    const first = await buy();
    await issue();
    await refund(first, 400);
    await issue();
    await refund(first, 1_000);
    await refund(first, 1_000);
    await issue();
    const second = await buy();
    await refund(second, 500);
    await issue();
    const shown = (await list()).map(({ number, kind, amount, credits, corrects }) => [
      number,
      kind,
      amount,
      credits,
      corrects,
    ]);
    expect(shown).toEqual([
      [5, 'credit_note', '-$5.00', 125, 4],
      [4, 'invoice', '$10.00', 250, null],
      [3, 'credit_note', '-$6.00', 150, 1],
      [2, 'credit_note', '-$4.00', 100, 1],
      [1, 'invoice', '$10.00', 250, null],
    ]);
  });

  it('keep seller and buyer as they were when they were issued', async () => {
    await core.get(Invoices).changeDetails(account.id, details, '203.0.113.7');
    await buy();
    await issue();
    await core.get(Invoices).changeDetails(account.id, { ...details, company: 'Other Ltd' }, '203.0.113.7');
    const renamed = await createTestCore(bed.config({ ...seller, INVOICE_SELLER_NAME: 'New LLC' }));
    await buy();
    await renamed.get(Invoices).issue();
    await renamed.close();
    const [first, second] = [await core.get(Invoices).get(account.id, 1), await core.get(Invoices).get(account.id, 2)];
    expect(first).toMatchObject({
      seller: { name: 'Penny LLC', address: ['1 Main St', 'Springfield'], taxId: null },
      buyer: { ...details, name: 'Test', email: account.email },
    });
    expect([second.seller.name, second.buyer.company]).toEqual(['New LLC', 'Other Ltd']);
  });

  it('are issued later when the operator had not set its details', async () => {
    const unset = await createTestCore(bed.config());
    await buy();
    expect(await unset.get(Invoices).issue()).toBe(false);
    expect(await unset.get(Invoices).page(account.id, 1)).toMatchObject({ available: false, invoices: [] });
    await unset.close();
    await issue();
    expect(await numbers()).toEqual([1]);
  });

  it('name no person after the account was erased; numbers and amounts stay', async () => {
    await core.get(Invoices).changeDetails(account.id, details, '203.0.113.7');
    await buy();
    await issue();
    await buy();
    await core.get(AccountErasure).erase(account.email, 'test');
    await issue();
    const rows = await bed.database.sql<{ buyer: unknown; amount_cents: number }>(
      'SELECT buyer, amount_cents FROM invoices ORDER BY number',
    );
    const erased = { buyer: { name: '', email: '', company: '', address: '', vatId: '' }, amount_cents: 1_000 };
    expect(rows).toEqual([erased, erased]);
    expect(await bed.database.sql('SELECT 1 FROM invoice_details')).toEqual([]);
  });

  it('come from statements that return the rows that their types declare', async () => {
    const person = { company: z.string(), address: z.string(), vatId: z.string() };
    const invoice: z.ZodType<Invoice> = z.strictObject({
      number: z.int(),
      accountId: z.uuid(),
      sessionId: z.string(),
      corrects: z.int().nullable(),
      creditedCents: z.int(),
      amountCents: z.int(),
      credits: z.int(),
      method: z.string(),
      seller: z.strictObject({
        name: z.string(),
        address: z.array(z.string()),
        taxId: z.string().nullable(),
        note: z.string().nullable(),
      }),
      buyer: z.strictObject({ ...person, name: z.string(), email: z.string() }),
      paidAt: z.date(),
      issuedAt: z.date(),
    });
    const payment: z.ZodType<PaymentToInvoice> = z.strictObject({
      accountId: z.uuid(),
      sessionId: z.string(),
      amountCents: z.int(),
      credits: z.int(),
      method: z.string(),
      refundedCents: z.int(),
      creditedCents: z.int(),
      invoicedAt: z.date().nullable(),
      createdAt: z.date(),
      invoice: z.int().nullable(),
    });
    const rows = (text: string) => bed.database.sql(text);
    await core.get(Invoices).changeDetails(account.id, details, '203.0.113.7');
    await buy();
    payment.parse((await rows(takePayments))[0]);
    await issue();
    z.strictObject({ last: z.literal(1) }).parse((await rows(lockCounter))[0]);
    const repository = core.get(InvoicesRepository);
    invoice.parse(await repository.find(account.id, 1));
    expect(z.array(invoice).parse(await repository.page(account.id, 10, 0))).toHaveLength(1);
    z.strictObject(person).parse(await repository.findDetails(account.id));
  });
});
