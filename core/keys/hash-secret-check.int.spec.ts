import { randomBytes } from 'node:crypto';
import { EnvironmentError } from '../platform/config/env.js';
import { explainStartFailure } from '../platform/process/lifecycle.js';
import { Logger } from '../platform/telemetry/logger.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore } from '../testing/test-core.js';
import { ApiKeys } from './api-keys.js';
import { HashSecretCheck } from './hash-secret-check.js';

const another = () => randomBytes(32).toString('base64');

describe('The keys of the environment', () => {
  let bed: TestBed;
  let accountId: string;

  beforeAll(async () => {
    bed = await createTestBed();
  });

  afterAll(() => bed?.remove());

  /** Returns the errors that a process with these settings logs when it starts. */
  async function loggedWith(settings: Record<string, string>): Promise<string[]> {
    const core = await createTestCore(bed.config(settings));
    try {
      const error = jest.spyOn(core.get(Logger), 'error').mockImplementation(() => undefined);
      await core.get(HashSecretCheck).run();
      return error.mock.calls.map(([, message]) => message);
    } finally {
      await core.close();
    }
  }

  it('are any while no key is stored', async () => {
    expect(await loggedWith({ API_KEY_HASH_SECRET: another() })).toEqual([]);
  });

  it('are named at the start when the hash secret is not the one of the stored keys', async () => {
    const core = await createTestCore(bed.config());
    ({ id: accountId } = await createTestAccount(core));
    await core.close();
    expect(await loggedWith({})).toEqual([]);
    const [message = '', ...more] = await loggedWith({ API_KEY_HASH_SECRET: another() });
    expect(message).toMatch(/^API_KEY_HASH_SECRET is not the one .+: set the earlier value and start again/);
    expect(more).toEqual([]);
  });

  it('tell nothing of the hash secret while the stored keys cannot be read', async () => {
    const settings = { API_KEY_ENCRYPTION_KEY: another(), API_KEY_HASH_SECRET: another() };
    expect(await loggedWith(settings)).toEqual([]);
  });

  it('are right again once a key was stored with the new hash secret', async () => {
    const settings = { API_KEY_HASH_SECRET: another() };
    const core = await createTestCore(bed.config(settings));
    await createTestAccount(core);
    await core.close();
    expect(await loggedWith(settings)).toEqual([]);
  });

  it('are named in one line when a stored key was encrypted with another one', async () => {
    const core = await createTestCore(bed.config({ API_KEY_ENCRYPTION_KEY: another() }));
    try {
      const failure = await core
        .get(ApiKeys)
        .current(accountId)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(EnvironmentError);
      expect(explainStartFailure(failure)).toMatch(/^API_KEY_ENCRYPTION_KEY is not the one .+ docs\/keys\.md .+\.$/);
    } finally {
      await core.close();
    }
  });
});
