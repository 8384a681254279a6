import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, OtpCalls, type TestServer } from './test-server.js';

/**
 * To be called within `describe`: two servers over a database of their own, shared by all tests,
 * and for each test a new account and no memory of codes that were sent.
 */
export function otpScene(options?: Parameters<typeof createTestAccount>[1]) {
  let bed: TestBed;
  let servers: [TestServer, TestServer];
  let calls: [OtpCalls, OtpCalls];
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    servers = await Promise.all([createTestServer(bed.config()), createTestServer(bed.config())]);
    calls = [new OtpCalls(servers[0]), new OtpCalls(servers[1])];
  });

  beforeEach(async () => {
    account = await createTestAccount(servers[0], options);
    await bed.database.sql('DELETE FROM otp_sends');
  });

  afterAll(async () => {
    await Promise.all(servers?.map((server) => server.close()) ?? []);
    await bed?.remove();
  });

  return {
    get bed() {
      return bed;
    },
    get account() {
      return account;
    },
    /** For tests that need another kind of account. */
    set account(other: TestAccount) {
      account = other;
    },
    get server() {
      return servers[0];
    },
    get other() {
      return servers[1];
    },
    get calls() {
      return calls[0];
    },
    get otherCalls() {
      return calls[1];
    },
    /** The calls of one server for even numbers, of the other for odd numbers. */
    through: (n: number) => calls[n % 2 === 0 ? 0 : 1],
  };
}
