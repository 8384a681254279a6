import type { PaidAccounts } from '../../credits/paid-accounts.js';
import { FilePlaces } from './file-places.js';

describe('FilePlaces', () => {
  it('lets one process decode and store the files of 20 messages at a time, which bounds its memory', async () => {
    const places = new FilePlaces({ hasPaid: async () => true } as unknown as PaidAccounts);
    const entered: (() => void)[] = [];
    const entering = Array.from({ length: 21 }, async (_, account) =>
      entered.push(await places.enter(String(account))),
    );
    await Promise.all(entering.slice(0, 20));
    await new Promise(setImmediate);
    expect(entered).toHaveLength(20);
    entered[0]?.();
    await Promise.all(entering);
  });
});
