import { DomainError } from '../platform/errors/domain-error.js';
import type { AccountNumbers, KnownNumber } from './number-directory.js';
import { sendersOf } from './senders-of.js';

const ID = '0199d0d0-7c5a-7b1f-8e0a-4f6f2f9c1b3d';
const PUBLIC_ID = ID.replaceAll('-', '');

const number = (changes: Partial<KnownNumber> = {}): KnownNumber => ({
  id: ID,
  number: '+12125550143',
  accountId: 'account',
  origin: 'purchase',
  status: 'active',
  carrier: 1,
  type: 'local',
  canMms: true,
  isFiltered: false,
  ...changes,
});
const find = (from: string, own: Partial<AccountNumbers> = {}) => {
  const found = sendersOf({ numbers: [number()], pools: [], ...own }, from);
  return found instanceof DomainError ? [found.code, found.detail] : found;
};

describe('sendersOf', () => {
  it.each([
    '+12125550143',
    '+1 (212) 555-0143',
    '2125550143',
    ' +1 212 555 0143\u{202c}',
    `num_${PUBLIC_ID}`,
    `NUM_${PUBLIC_ID.toUpperCase()}`,
  ])('finds a number by %j', (from) => expect(find(from)).toEqual(['+12125550143']));

  it('finds a pool by its id in capitals', () => {
    const pools = [{ id: ID, isDefault: true, senders: ['+12125550143'] }];
    expect(find(`POOL_${PUBLIC_ID.toUpperCase()}`, { pools })).toEqual(['+12125550143']);
  });

  it('finds the id of a messaging service that the operator gave', () => {
    const service = `MG${'0'.repeat(32)}`;
    expect(find(service, { numbers: [number({ number: service, origin: 'operator' })] })).toEqual([service]);
  });

  it.each(['+12125550144', 'num_0199d0d07c5a7b1f8e0a4f6f2f9c1b3e', `pool_${PUBLIC_ID}`, 'num_', 'Shop', '0'])(
    'knows no %j',
    (from) => {
      const detail = `"${from}" is neither a number nor a pool of your account. You were not charged.`;
      expect(find(from)).toEqual(['from_unknown', detail]);
    },
  );

  it('shows no more than the beginning of what it does not know', () => {
    const [, detail] = find('x'.repeat(60_000));
    const shown = `"${'x'.repeat(40)}…"`;
    expect(detail).toBe(`${shown} is neither a number nor a pool of your account. You were not charged.`);
  });

  it.each(['reserving', 'releasing'] as const)('refuses a number that is %s', (status) => {
    const detail = `+12125550143 cannot send: it is ${status}. You were not charged.`;
    expect(find('+12125550143', { numbers: [number({ status })] })).toEqual(['from_inactive', detail]);
  });

  it('takes a number whose rent is due, and one that carriers filter', () => {
    expect(find('+12125550143', { numbers: [number({ status: 'past_due', isFiltered: true })] })).toHaveLength(1);
  });

  it('finds the numbers of a pool, unless none can send', () => {
    const pool = { id: ID, isDefault: false, senders: ['+12125550143', '+12125550157'] };
    expect(find(`pool_${PUBLIC_ID}`, { pools: [pool] })).toEqual(pool.senders);
    expect(find(`pool_${PUBLIC_ID}`, { pools: [{ ...pool, senders: [] }] })).toEqual([
      'from_inactive',
      `No number of the pool pool_${PUBLIC_ID} can send now. You were not charged.`,
    ]);
  });
});
