import { ApiKeys } from '../../keys/api-keys.js';
import { Accounts } from '../accounts.js';
import { SendOtp } from '../../otp/send-otp.js';
import { VerifyOtp } from '../../otp/verify-otp.js';
import { RedeemCodes } from '../../billing/redeem-codes.js';
import { SendMessage } from '../../messages/send/send-message.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { sentOtp } from '../../testing/sent-otp.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { SignIn } from './sign-in.js';
import { AccountRetention } from '../account-retention.js';
import { createRedeemCode } from '../../testing/operator-credits.js';

const MINE = '+14155550177';
const THEIRS = '+14155550178';

describe('FreeCredits', () => {
  let bed: TestBed;
  let core: TestCore;
  let other: TestCore;
  let people = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    const config = bed.config({ SIGN_UPS_PER_ADDRESS_PER_DAY: '3', FREE_CREDITS_OWN_NUMBER: 'true' });
    [core, other] = [await createTestCore(config), await createTestCore(config)];
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await core?.close();
    await other?.close();
    await bed?.remove();
  });

  const signUp = async (email: string, { address = undefined as string | undefined, process = core } = {}) => {
    people += 1;
    const profile = { subject: `google-${people}`, email, emailVerified: true, displayName: 'Ada' };
    return (await process.get(SignIn).withGoogle(profile, address)).accountId;
  };
  const creditsOf = async (email: string) => (await moneyOf(bed.database, await signUp(email))).purchased;
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
    );

  it.each([
    ['dots', 'first@gmail.com', 'f.i.r.s.t@gmail.com'],
    ['a tag', 'second@gmail.com', 'second+news@gmail.com'],
    ['capitals and the other name of Gmail', 'th.ird@gmail.com', 'Third+x@GoogleMail.com'],
  ])('are given once for a Google address with %s', async (_title, address, sameAddress) => {
    expect(await creditsOf(address)).toBe(3);
    expect(await creditsOf(sameAddress)).toBe(0);
  });

  it('are given to other people, and dots count outside Gmail', async () => {
    await signUp('a.lovelace@example.com');
    expect(await creditsOf('alovelace@example.com')).toBe(3);
    expect(await creditsOf('a.lovelace+b@example.com')).toBe(0);
  });

  it('are given once when one person signs up under ten addresses at the same moment', async () => {
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, n) => signUp(`at.once+${n}@gmail.com`, { process: n % 2 ? core : other })),
    );
    const credits = await Promise.all(ids.map(async (id) => (await moneyOf(bed.database, id)).purchased));
    expect(credits.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
  });

  it('allow three sign-ups a day from one network, in any process, and leave no trace of a refused one', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        codeOf(signUp(`net${n}@example.com`, { address: `2001:db8::${n + 1}`, process: n % 2 ? core : other })),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'too_many_attempts')).toHaveLength(5);
    expect(await bed.database.sql(`SELECT id FROM accounts WHERE email LIKE 'net%@example.com'`)).toHaveLength(3);
    expect(await codeOf(signUp('elsewhere@example.com', { address: '203.0.113.5' }))).toBe('done');
    await bed.database.sql(`UPDATE sign_ups SET created_at = created_at - interval '25 hours'`);
    expect(await codeOf(signUp('tomorrow@example.com', { address: '2001:db8::9' }))).toBe('done');
    await core.get(AccountRetention).run();
    expect(await bed.database.sql('SELECT account_id FROM sign_ups')).toHaveLength(1);
  });

  describe('for own numbers', () => {
    let id: string;
    let email: string;

    beforeEach(async () => {
      email = `own${people}@example.com`;
      id = await signUp(email);
    });

    const request = async () => ({
      key: core.get(ApiKeys).parse((await core.get(ApiKeys).list(id)).apiKey),
      address: '127.0.0.1',
      reference: undefined,
      idempotencyKey: undefined,
    });
    const send = async (to: string) => codeOf(core.get(SendMessage).send({ ...(await request()), to, text: 'Hello' }));
    const verify = async (to: string) => {
      const sent = await core.get(SendOtp).send({
        ...(await request()),
        to,
        org: undefined,
        domain: undefined,
        digits: 6,
        minutes: 5,
        ip: undefined,
        device: undefined,
      });
      const { key, address } = await request();
      return core
        .get(VerifyOtp)
        .verify({ key, address, to, otp: await sentOtp(core, sent.messageId), otpId: undefined });
    };

    it('send only to a number that the account has verified by a code', async () => {
      expect(await send(MINE)).toBe('number_not_verified');
      expect(await verify(MINE)).toMatchObject({ kind: 'verified' });
      expect([await send(MINE), await send(THEIRS)]).toEqual(['done', 'number_not_verified']);
    });

    it('send everywhere after a redeemed code, and for an account of the operator', async () => {
      const code = await createRedeemCode(core, { credits: 5 });
      expect(await send(THEIRS)).toBe('number_not_verified');
      await core.get(RedeemCodes).redeem(id, code);
      expect(await send(THEIRS)).toBe('done');
      const made = await core.get(Accounts).create({ email: `op-${email}`, displayName: '', signInType: 'google' });
      id = made.id;
      expect(await send(THEIRS)).toBe('done');
    });

    it('send everywhere when the operator has turned the setting off', async () => {
      const free = await createTestCore(bed.config());
      try {
        const outcome = await codeOf(free.get(SendMessage).send({ ...(await request()), to: THEIRS, text: 'Hello' }));
        expect(outcome).toBe('done');
      } finally {
        await free.close();
      }
    });
  });
});
