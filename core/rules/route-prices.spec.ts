import { DomainError } from '../platform/errors/domain-error.js';
import { parsePrices } from './route-prices.js';

function faultOf(text: string): string {
  try {
    parsePrices(text);
  } catch (error) {
    if (error instanceof DomainError) return error.detail;
    throw error;
  }
  return 'none';
}

describe('parsePrices', () => {
  it('reads countries by either code, quoted fields, empty lines and the line ends of Windows', () => {
    const text = '\uFEFFCountry, carrier ,COST\r\nUS,twilio,0.0079\r\n\r\n"gbr","telnyx","0.04"\r\n';
    expect(parsePrices(text)).toEqual([
      { country: 'US', carrier: 'twilio', costMicrousd: 7_900 },
      { country: 'GB', carrier: 'telnyx', costMicrousd: 40_000 },
    ]);
  });

  it.each([
    ['', 'Line 1: the columns have to be country,carrier,cost, and it has "". Nothing was changed.'],
    [
      'US,twilio,1',
      'Line 1: the columns have to be country,carrier,cost, and it has "US,twilio,1". Nothing was changed.',
    ],
    ['country,carrier,cost\n', 'Line 2: there is no row under the columns. Nothing was changed.'],
    [
      'country,carrier,cost\nUS,twilio',
      'Line 2: it has 2 fields instead of 3, country,carrier,cost. Nothing was changed.',
    ],
    [
      'country,carrier,cost\nUS,twilio,0,01',
      'Line 2: it has 4 fields instead of 3, country,carrier,cost. Nothing was changed.',
    ],
    [
      'country,carrier,cost\n\nAtlantis,twilio,1\nUS,Twilio Inc,1\nUS,twilio,-1\nUS,twilio,10.01\nUS,twilio,0.0000004',
      'Line 3: "Atlantis" is no country of the region table, such as US or USA. ' +
        'Line 4: "Twilio Inc" is no name of a carrier, such as twilio. ' +
        'Line 5: "-1" is no cost of a segment in US dollars, from 0 to 10, such as 0.0079. ' +
        'Line 6: "10.01" is no cost of a segment in US dollars, from 0 to 10, such as 0.0079. ' +
        'Line 7: "0.0000004" is no cost of a segment in US dollars, from 0 to 10, such as 0.0079. Nothing was changed.',
    ],
    [
      'country,carrier,cost\nUS,twilio,0.0079\nUSA,twilio,0.0075',
      'Line 3: line 2 has a cost of US twilio already. Nothing was changed.',
    ],
  ])('refuses %j with the lines that are wrong', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it('names ten faults, and how many more there are', () => {
    const rows = Array.from({ length: 12 }, () => 'US,twilio');
    expect(faultOf(['country,carrier,cost', ...rows].join('\n'))).toMatch(
      /Line 11: .* And 2 more\. Nothing was changed\.$/,
    );
  });

  it('reads a thousand rows at most', () => {
    const carriers = (count: number) => Array.from({ length: count }, (_, place) => `US,c${place},0.01`);
    expect(parsePrices(['country,carrier,cost', ...carriers(1_000)].join('\n'))).toHaveLength(1_000);
    expect(faultOf(['country,carrier,cost', ...carriers(1_001)].join('\n'))).toMatch(/^Line 1002: a file has at most/);
  });
});
