import type { Logger } from '../platform/telemetry/logger.js';
import { ApiKeyUsage } from './api-key-usage.js';
import type { ApiKeysRepository } from './api-keys.repository.js';
import type { ApiKey } from './api-key.js';

const KEY: ApiKey = { hash: Buffer.alloc(32, 1), test: false, named: true };

describe('the use of API keys', () => {
  it('is written once a flush returns, also by a flush that began earlier', async () => {
    const written: string[] = [];
    let finish = (): void => undefined;
    const touch = async (): Promise<void> => {
      await new Promise<void>((resolve) => (finish = resolve));
      written.push('use');
    };
    const usage = new ApiKeyUsage({ touch } as unknown as ApiKeysRepository, {} as Logger);
    usage.record(KEY, null, '192.0.2.1');
    const earlier = usage.flush();
    const later = usage.flush().then(() => written.push('returned'));
    finish();
    await Promise.all([earlier, later]);
    expect(written).toEqual(['use', 'returned']);
  });
});
