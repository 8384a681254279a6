import { keywordOf, OptOuts } from './opt-outs.js';

const phone = '+14155552671';
const sender = '+15005550006';

describe('OptOuts', () => {
  let optOuts: OptOuts;

  beforeEach(() => {
    optOuts = new OptOuts();
  });

  it.each(['STOP', 'stop', ' Stop \n', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'])(
    'takes %j as an opt-out of that sender alone, and confirms it',
    (word) => {
      expect(optOuts.apply(phone, sender, word)).toMatch(/^You have successfully been unsubscribed\./);
      expect(optOuts.has(phone, sender)).toBe(true);
      expect(optOuts.has(phone, '+15005550099')).toBe(false);
    },
  );

  it.each(['START', 'yes', 'Unstop'])('removes the opt-out on %j and confirms it', (word) => {
    optOuts.apply(phone, sender, 'STOP');
    expect(optOuts.apply(phone, sender, word)).toMatch(/^You have successfully been re-subscribed/);
    expect(optOuts.has(phone, sender)).toBe(false);
  });

  it('does not answer a second STOP, nor START without a STOP', () => {
    expect(optOuts.apply(phone, sender, 'YES')).toBeNull();
    optOuts.apply(phone, sender, 'STOP');
    expect(optOuts.apply(phone, sender, 'STOP')).toBeNull();
  });

  it.each(['HELP', 'info'])('answers %j unless the phone is opted out', (word) => {
    expect(optOuts.apply(phone, sender, word)).toMatch(/^Reply STOP to unsubscribe\./);
    optOuts.apply(phone, sender, 'STOP');
    expect(optOuts.apply(phone, sender, word)).toBeNull();
  });

  it('ignores a keyword inside a sentence', () => {
    expect(optOuts.apply(phone, sender, 'please stop')).toBeNull();
    expect(optOuts.has(phone, sender)).toBe(false);
  });

  it('ignores short codes and alphanumeric senders', () => {
    expect(optOuts.apply(phone, '12345', 'STOP')).toBeNull();
    expect(optOuts.has(phone, '12345')).toBe(false);
  });
});

describe('keywordOf', () => {
  it.each([
    [' stop ', 'STOP'],
    ['Unstop', 'START'],
    ['info', 'HELP'],
    ['please stop', null],
  ])('reads %j as %s', (body, keyword) => {
    expect(keywordOf(body)).toBe(keyword);
  });
});
