import { OptOuts } from './inbound.js';

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
      expect(optOuts.hear(phone, sender, word)).toMatch(/^You have successfully been unsubscribed\./);
      expect(optOuts.has(phone, sender)).toBe(true);
      expect(optOuts.has(phone, '+15005550099')).toBe(false);
    },
  );

  it.each(['START', 'yes', 'Unstop'])('lifts it with %j, and confirms that', (word) => {
    optOuts.hear(phone, sender, 'STOP');
    expect(optOuts.hear(phone, sender, word)).toMatch(/^You have successfully been re-subscribed/);
    expect(optOuts.has(phone, sender)).toBe(false);
  });

  it('answers no second STOP, and no START of somebody who never stopped', () => {
    expect(optOuts.hear(phone, sender, 'YES')).toBeNull();
    optOuts.hear(phone, sender, 'STOP');
    expect(optOuts.hear(phone, sender, 'STOP')).toBeNull();
  });

  it.each(['HELP', 'info'])('answers %j, unless the person has stopped', (word) => {
    expect(optOuts.hear(phone, sender, word)).toMatch(/^Reply STOP to unsubscribe\./);
    optOuts.hear(phone, sender, 'STOP');
    expect(optOuts.hear(phone, sender, word)).toBeNull();
  });

  it('does not take a keyword inside a sentence', () => {
    expect(optOuts.hear(phone, sender, 'please stop')).toBeNull();
    expect(optOuts.has(phone, sender)).toBe(false);
  });

  it('leaves short codes and names to their owners', () => {
    expect(optOuts.hear(phone, '12345', 'STOP')).toBeNull();
    expect(optOuts.has(phone, '12345')).toBe(false);
  });
});
