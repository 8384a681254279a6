import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { keyRefusal } from './callers.sql.js';

describe('A key with network addresses and an expiry', () => {
  let bed: TestBed;

  beforeAll(async () => {
    bed = await createTestBed();
  });

  afterAll(() => bed?.remove());

  it('is allowed from exactly the addresses that its ranges contain, until its expiry (any ranges, address and time)', async () => {
    const v4 = fc.uint8Array({ minLength: 4, maxLength: 4 });
    const v6 = fc.uint8Array({ minLength: 16, maxLength: 16 });
    const text = (bytes: Uint8Array) => ipaddr.fromByteArray([...bytes]).toNormalizedString();
    const range = fc.oneof(
      fc.tuple(v4, fc.integer({ min: 0, max: 32 })),
      fc.tuple(v6, fc.integer({ min: 0, max: 128 })),
    );
    const near = (bytes: Uint8Array, bit: number) =>
      bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (128 >> (bit & 7)) : byte));
    const check = fc.record({
      ranges: fc.array(range, { minLength: 1, maxLength: 3 }),
      bit: fc.integer({ min: 0, max: 127 }),
      stranger: fc.option(v4, { nil: undefined }),
      seconds: fc.option(fc.integer({ min: -86_400, max: 86_400 }), { nil: undefined }),
    });
    const refusal = `SELECT ${keyRefusal('k', { address: '$2::text', scope: `'send'` })} AS code
      FROM (SELECT $1::text[]::cidr[]::inet[] AS addresses, ARRAY['send'] AS scopes,
        now() + $3 * interval '1 second' AS expires_at) k`;
    await fc.assert(
      fc.asyncProperty(check, async ({ ranges, bit, stranger, seconds }) => {
        const [first] = ranges;
        const address = stranger ?? near(first?.[0] ?? new Uint8Array(4), bit % (8 * (first?.[0].length ?? 4)));
        const parsed = ipaddr.fromByteArray([...address]);
        const networks = ranges.map(([bytes, prefix]) => ipaddr.parseCIDR(`${text(bytes)}/${prefix}`));
        const isInside = networks.some(
          ([network, prefix]) => network.kind() === parsed.kind() && parsed.match([network, prefix] as never),
        );
        const cidrs = ranges.map(([bytes, prefix]) => maskedCidr(bytes, prefix));
        const [row] = await bed.database.sql<{ code: string | null }>(refusal, [cidrs, text(address), seconds ?? null]);
        const isExpired = seconds !== undefined && seconds <= 0;
        expect(row?.code).toBe(isExpired ? 'key_expired' : isInside ? null : 'key_address');
      }),
      { numRuns: 300 },
    );
    function maskedCidr(bytes: Uint8Array, prefix: number): string {
      const masked = bytes.map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, prefix - 8 * index))));
      return `${text(masked)}/${prefix}`;
    }
  });
});
