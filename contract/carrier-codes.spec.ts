import fc from 'fast-check';
import { failureClasses, mayChangeRoute } from './carrier-codes.js';
import { carrierCodes, deliveryErrors, failureClassOf, isKnownCarrierCode } from './delivery-errors.js';

const carriers = Object.keys(carrierCodes).map(Number);
const carrier = fc.constantFrom(...carriers);
/** A code of a table, or any integer. */
const code = fc.oneof(
  fc.constantFrom(...carriers.flatMap((number) => Object.keys(carrierCodes[number] ?? {}).map(Number))),
  fc.integer(),
);

describe('the tables of carrier codes', () => {
  it('let a message change its route for route, account and throttle alone', () => {
    expect(failureClasses.filter(mayChangeRoute)).toEqual(['route', 'account', 'throttle']);
  });

  it('class every code, and an unknown one as one that ends the message', () => {
    fc.assert(
      fc.property(carrier, code, (number, one) => {
        const failure = failureClassOf(number, one);
        expect(failureClasses).toContain(failure);
        if (isKnownCarrierCode(number, one)) return;
        expect(failure).toBe('unknown');
        expect(mayChangeRoute(failure)).toBe(false);
      }),
    );
    expect(failureClassOf(carriers[0] ?? 0, null)).toBe('unknown');
    expect(failureClassOf(-1, 21_211)).toBe('unknown');
  });

  // Failures in Twilio's error dictionary that another carrier would repeat, whatever the table
  // contains.
  it.each([21_211, 21_610, 21_614, 30_003, 30_004, 30_005, 30_006, 30_007, 30_008, 30_011, 30_019, 30_038, 30_039])(
    'keep a message with Twilio’s %i where it is',
    (one) => {
      expect(isKnownCarrierCode(1, one)).toBe(true);
      expect(mayChangeRoute(failureClassOf(1, one))).toBe(false);
    },
  );

  // Failures in Telnyx's reference of messaging errors.
  it.each([
    10_002, 40_001, 40_002, 40_003, 40_004, 40_005, 40_006, 40_008, 40_009, 40_010, 40_012, 40_013, 40_015, 40_017,
    40_300, 40_305, 40_310, 40_315, 40_322, 40_329,
  ])('keep a message with Telnyx’s %i where it is', (one) => {
    expect(isKnownCarrierCode(2, one)).toBe(true);
    expect(mayChangeRoute(failureClassOf(2, one))).toBe(false);
  });

  it.each([
    [20_003, 'account'],
    [30_002, 'account'],
    [90_010, 'account'],
    [21_612, 'route'],
    [20_429, 'throttle'],
    [30_001, 'throttle'],
    [21_610, 'opted_out'],
    [30_034, 'sender'],
  ])('call Twilio’s %i a failure of the kind %s', (one, failure) => {
    expect(failureClassOf(1, one)).toBe(failure);
  });

  it.each([
    [10_009, 'account'],
    [20_012, 'account'],
    [20_100, 'account'],
    [40_314, 'account'],
    [40_309, 'route'],
    [10_011, 'throttle'],
    [40_011, 'throttle'],
    [40_318, 'throttle'],
    [40_300, 'opted_out'],
    [40_010, 'sender'],
    [40_322, 'content'],
    [40_012, 'number'],
  ])('call Telnyx’s %i a failure of the kind %s', (one, failure) => {
    expect(failureClassOf(2, one)).toBe(failure);
  });

  it('are the same for every SMPP bind', () => {
    expect([3, 10, 32_767].map((number) => failureClassOf(number, 0x0b))).toEqual(['number', 'number', 'number']);
    expect(isKnownCarrierCode(10, 0x58)).toBe(true);
    expect(isKnownCarrierCode(9, 0x58)).toBe(false);
  });

  it('tell the answers of SMPP peers from their receipts, whose codes no metric counts as unknown', () => {
    expect([0x08, 0x58, 34, 999].map((one) => failureClassOf(10, one))).toEqual([
      'route',
      'throttle',
      'unknown',
      'unknown',
    ]);
    expect([0x08, 0x58, 34, 999].map((one) => failureClassOf(10, one, 'receipt'))).toEqual([
      'unknown',
      'unknown',
      'route',
      'unknown',
    ]);
    expect(isKnownCarrierCode(10, 999, 'receipt')).toBe(true);
    // Other carriers have one table for both sources.
    expect(failureClassOf(1, 30_003, 'receipt')).toBe(failureClassOf(1, 30_003));
    expect(isKnownCarrierCode(1, 999, 'receipt')).toBe(false);
  });

  it('explain no code twice, because a message shows its code without its carrier', () => {
    const codes = deliveryErrors.map((error) => error.code);
    expect(codes.filter((one, at) => codes.indexOf(one) !== at)).toEqual([]);
  });
});
