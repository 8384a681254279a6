import { channelsOf, chosen, costText, creditsMaxOf, faultsOf, moved, offeredIn, smsAlone } from './chosen-channels.js';

const channels = [
  { channel: 'sms', credits: 1 },
  { channel: 'whatsapp', credits: 2 },
  { channel: 'voice', credits: 3 },
  { channel: 'email', credits: 1 },
] as const;
const offered = [...channels];
const [sms, whatsapp, voice] = [chosen('sms'), chosen('whatsapp'), chosen('voice')];
const email = { ...chosen('email'), to: 'ann@example.com' };

describe('the channels of a code', () => {
  it('offer calls only if a country has calls', () => {
    expect(offeredIn({ channels: offered, voiceCountries: ['USA'] })).toEqual(offered);
    expect(offeredIn({ channels: offered, voiceCountries: [] })).toEqual(offered.toSpliced(2, 1));
  });

  it.each([
    [0, 1, ['b', 'a', 'c']],
    [2, -1, ['a', 'c', 'b']],
    [0, -1, ['a', 'b', 'c']],
    [2, 1, ['a', 'b', 'c']],
  ] as const)('move from place %i by %i within the list', (from, by, expected) => {
    expect(moved(['a', 'b', 'c'], from, by)).toEqual(expected);
  });

  it.each([
    [smsAlone, 1, ''],
    [[voice], 3, 'A call costs 3 credits.'],
    [[sms, voice], 4, 'A call costs 3 credits; the most this code can cost is 4 credits.'],
    [
      [sms, email, whatsapp, voice],
      7,
      'An email costs 1 credit, a WhatsApp message 2 credits, and a call 3 credits; the most this code can cost is ' +
        '7 credits.',
    ],
  ])('%j cost at most %i credits, and say so', (list, credits, text) => {
    expect(creditsMaxOf(list, offered)).toBe(credits);
    expect(costText(list, offered)).toBe(text);
  });

  it('are left out of a request for SMS alone', () => {
    expect(channelsOf(smsAlone)).toBeUndefined();
    expect(channelsOf([{ ...voice, wait: '20' }, email, sms])).toEqual([
      { channel: 'voice', wait_seconds: 20 },
      { channel: 'email', to: 'ann@example.com', wait_seconds: 60 },
      { channel: 'sms' },
    ]);
  });

  it.each(['', '14', '301', '1.5', 'soon'])('need a wait within the bounds, which %j is not', (wait) => {
    expect(faultsOf([{ ...sms, wait }, voice])).toEqual({ sms: { wait: 'Enter a whole number from 15 to 300.' } });
    expect(faultsOf([voice, { ...sms, wait }])).toEqual({});
  });

  it('need an address for email', () => {
    expect(faultsOf([sms, chosen('email')])).toEqual({ email: { to: 'Enter an address such as ann@example.com.' } });
    expect(faultsOf([sms, { ...email, to: ' ann@example.com ' }])).toEqual({});
  });
});
