import fc from 'fast-check';
import { failureClasses, mayChangeRoute } from './carrier-codes.js';
import { carrierCodes, failureClassOf, isKnownCarrierCode } from './delivery-errors.js';

const carriers = Object.keys(carrierCodes).map(Number);
const carrier = fc.constantFrom(...carriers);
/** As likely a code of the table as any other. */
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

  // By Twilio's error dictionary: what another carrier cannot change, whatever the table is edited to.
  it.each([21_211, 21_610, 21_614, 30_003, 30_004, 30_005, 30_006, 30_007, 30_008, 30_011, 30_019, 30_038, 30_039])(
    'keep a message with Twilio’s %i where it is',
    (one) => {
      expect(isKnownCarrierCode(1, one)).toBe(true);
      expect(mayChangeRoute(failureClassOf(1, one))).toBe(false);
    },
  );

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
});
