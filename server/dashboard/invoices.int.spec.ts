import { Postgres } from '#core/platform/database/postgres.js';
import { textsOf } from '#core/billing/testing/pdf-text.js';
import { Invoices } from '#core/billing/invoices/invoices.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const DETAILS = '/api/dashboard/invoice-details';
const LIST = '/api/dashboard/invoices';

describe('/api/dashboard/invoices', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(
      bed.config({
        INVOICE_SELLER_NAME: 'Penny <LLC>',
        INVOICE_SELLER_ADDRESS: '1 Main St | Springfield',
        INVOICE_SELLER_TAX_ID: 'US 98-7654321',
        INVOICE_NOTE: 'Reverse charge.',
      }),
    );
    account = await createTestAccount(server);
    browser = await TestBrowser.signedIn(server, account.id);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const plantPayment = async (refundedCents: number) => {
    await server.get(Postgres).transaction(async (tx) => {
      const id = `cs_${refundedCents}`;
      const values = [id, account.id];
      await tx.query(
        `INSERT INTO checkout_sessions (session_id, account_id, pack, credits, amount_cents, status)
          VALUES ($1, $2, 'basic', 250, 1000, 'paid')`,
        values,
      );
      await tx.query(
        `INSERT INTO payments (session_id, account_id, amount_cents, credits, method, refunded_cents)
          VALUES ($1, $2, 1000, 250, 'Stripe Payment', $3)`,
        [...values, refundedCents],
      );
    });
    await server.get(Invoices).issue();
  };

  it('keeps the details that invoices name, and refuses others', async () => {
    expect((await browser.get(DETAILS)).json()).toEqual({ company: '', address: '', vatId: '' });
    const details = { company: 'Ada & Sons', address: '2 Side St\nLondon', vatId: 'GB123' };
    expect((await browser.call('PUT', DETAILS, { ...details, company: ' Ada & Sons ' })).json()).toEqual(details);
    expect((await browser.get(DETAILS)).json()).toEqual(details);
    for (const wrong of [{ company: 'x'.repeat(201) }, { address: 'line\n'.repeat(9) }, { vatId: '<b>' }, { vatId: 1 }])
      expect((await browser.call('PUT', DETAILS, { ...details, ...wrong })).statusCode).toBe(400);
  });

  it('shows an invoice and its credit note as pages that escape typed text and run only their print button', async () => {
    await plantPayment(1_000);
    expect((await browser.get(LIST)).json()).toMatchObject({
      available: true,
      invoices: [
        { number: 2, kind: 'credit_note', amount: '-$10.00', corrects: 1 },
        { number: 1, kind: 'invoice', amount: '$10.00', corrects: null },
      ],
    });
    const invoice = await browser.get(`${LIST}/1`);
    expect(invoice.statusCode).toBe(200);
    expect(invoice.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(invoice.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; /,
    );
    for (const text of [
      '<h1>Invoice 000001</h1>',
      'Penny &lt;LLC&gt;',
      '<p dir="auto">Springfield</p>',
      'Tax ID: US 98-7654321',
      'Ada &amp; Sons',
      '<p dir="auto">London</p>',
      'VAT ID: GB123',
      '250 SMS credits',
      'Reverse charge.',
      '<td>$10.00</td>',
      '$10.00 was refunded later: credit note 000002.',
      '<a href="/api/dashboard/invoices/1/pdf" download>',
    ])
      expect(invoice.body).toContain(text);
    const note = (await browser.get(`${LIST}/2`)).body;
    expect(note).toContain('<h1>Credit note 000002</h1>');
    expect(note).toContain('<dt>Corrects invoice</dt><dd>000001</dd>');
    expect(note).toContain('−$10.00');
    expect(note).not.toContain('refunded later');
  });

  it('downloads them as PDF files with the same texts', async () => {
    const file = await browser.get(`${LIST}/1/pdf`);
    expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(file.headers['content-disposition']).toBe('attachment; filename="pennytext-invoice-000001.pdf"');
    expect(file.headers['cache-control']).toBe('private, no-store');
    const text = textsOf(file.rawPayload);
    for (const part of ['Penny <LLC>', 'Ada & Sons', 'VAT ID: GB123', '250 SMS credits', '$10.00', 'Page 1 of 1'])
      expect(text).toContain(part);
    expect(textsOf((await browser.get(`${LIST}/2/pdf`)).rawPayload)).toContain('−$10.00');
  });

  it('shows that a payment is disputed', async () => {
    await bed.database.sql('UPDATE payments SET credits_disputed = 250 WHERE account_id = $1', [account.id]);
    expect((await browser.get(`${LIST}/1`)).body).toContain('This payment is disputed with the bank.');
    expect((await browser.get(`${LIST}/2`)).body).not.toContain('disputed');
  });

  it.each(['99', '0', 'x', '1.5', '99999999999999999999'])('answers 404 for number %s', async (number) => {
    const answer = await browser.get(`${LIST}/${number}`);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, 'invoice_not_found']);
    expect((await browser.get(`${LIST}/${number}/pdf`)).statusCode).toBe(404);
  });

  it('shows no account’s invoice to another, nor without a session', async () => {
    const stranger = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
    for (const path of [`${LIST}/1`, `${LIST}/1/pdf`]) {
      expect((await stranger.get(path)).statusCode).toBe(404);
      expect((await new TestBrowser(server).get(path)).statusCode).toBe(401);
    }
  });
});
