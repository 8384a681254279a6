import {
  deliveryErrorOf,
  deliveryErrors,
  isKnownDeliveryError,
  messageErrorCodes,
  reasonOf,
} from './delivery-errors.js';

describe('the table of delivery errors', () => {
  it('explains every code once, in words that fit a row of a table', () => {
    const codes = deliveryErrors.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).toEqual(expect.arrayContaining([...messageErrorCodes, '21211', '21610', '30003', '30007']));
    for (const { reason, meaning, remedy } of deliveryErrors) {
      expect(reason.length).toBeLessThanOrEqual(40);
      expect(reason).not.toMatch(/\.$/);
      for (const sentence of [meaning, remedy]) expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('calls permanent what another attempt cannot change', () => {
    const permanent = (code: string) => deliveryErrorOf(code).permanent;
    expect(['21211', '21610', '21614', '30004', '30005', '30006', '30007'].filter((code) => !permanent(code))).toEqual(
      [],
    );
    expect(['30001', '30003', '30008', '30017', 'carrier_unavailable', 'daily_limit'].filter(permanent)).toEqual([]);
  });
});

describe('reasonOf', () => {
  it.each([
    [null, null, null],
    ['not_delivered', 30_003, { code: '30003', text: 'Phone off or out of reach', permanent: false }],
    ['carrier_refused', 21_614, { code: '21614', text: 'Not a mobile number', permanent: true }],
    ['expired', null, { code: 'expired', text: 'Expired before it was sent', permanent: false }],
    // SMPP: the carrier answers command status 11; err:011 comes from the network behind it.
    ['carrier_refused', 11, { code: '11', text: 'Invalid number', permanent: true }],
    ['not_delivered', 11, { code: 'network_11', text: 'Not delivered (network code 11)', permanent: false }],
    ['not_delivered', 39_999, { code: '39999', text: 'Error of the carrier', permanent: false }],
    ['something_new', null, { code: 'something_new', text: 'Not sent', permanent: false }],
  ])('of %s and %s is %j', (errorCode, carrierError, reason) => {
    expect(reasonOf(errorCode, carrierError)).toEqual(reason);
  });

  it('names an unknown code and does not pretend to know it', () => {
    expect(isKnownDeliveryError('39999')).toBe(false);
    expect(deliveryErrorOf('39999').meaning).toContain('39999');
    // Every object has this property.
    expect(deliveryErrorOf('constructor').reason).toBe('Not sent');
  });
});
