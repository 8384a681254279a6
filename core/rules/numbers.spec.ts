import { areaCodeOf, nameAtCarrier, numberForSale, publicIdInName } from './numbers.js';

const countries = ['US', 'CA'];

describe('numberForSale', () => {
  it.each([
    ['+12125550143', { number: '+12125550143', country: 'US', type: 'local' }],
    ['(212) 555-0143', { number: '+12125550143', country: 'US', type: 'local' }],
    ['+14165550143', { number: '+14165550143', country: 'CA', type: 'local' }],
    ['+18335550143', { number: '+18335550143', country: 'US', type: 'toll_free' }],
  ])('takes %s', (typed, expected) => {
    expect(numberForSale(typed, countries)).toEqual(expected);
  });

  it.each(['', '12', 'Shop', '+442079460000', '+19005550143', '+15005550006', '+12425550143'])(
    'takes no %p',
    (typed) => {
      expect(numberForSale(typed, countries)).toBeUndefined();
    },
  );

  it('takes toll-free numbers wherever a country that has them is sold, and nothing where none is', () => {
    expect(numberForSale('+18335550143', ['CA'])).toMatchObject({ type: 'toll_free' });
    expect(numberForSale('+442079460000', ['GB'])).toEqual({ number: '+442079460000', country: 'GB', type: 'local' });
    for (const number of ['+12125550143', '+18335550143']) expect(numberForSale(number, [])).toBeUndefined();
  });
});

describe('areaCodeOf', () => {
  it('is that of a North American number', () => {
    expect(areaCodeOf('+12125550143')).toBe('212');
    expect(areaCodeOf('+442079460000')).toBeUndefined();
  });
});

describe('the name of a number at the carrier', () => {
  const id = '0190f0aa-1234-7abc-8def-0123456789ab';

  it('has its public id, and fits into the 64 characters that Twilio keeps', () => {
    expect(nameAtCarrier(id)).toBe('pennytext num_0190f0aa12347abc8def0123456789ab');
    expect(nameAtCarrier(id).length).toBeLessThanOrEqual(64);
    expect(publicIdInName(nameAtCarrier(id))).toBe('num_0190f0aa12347abc8def0123456789ab');
  });

  it.each(['(212) 555-0143', 'pennytext', 'num_0190f0aa12347abc8def0123456789ab'])('is not %p', (name) => {
    expect(publicIdInName(name)).toBeUndefined();
  });
});
