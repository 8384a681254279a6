import { OptOuts } from './opt-outs.js';

describe('OptOuts', () => {
  it.each(['STOP', 'stop', ' Stop \n', 'UNSUBSCRIBE', 'QUIT'])(
    'takes %j as an opt-out of that sender alone',
    (word) => {
      const optOuts = new OptOuts();
      optOuts.hear('+14155552671', '+15005550006', word);
      expect(optOuts.has('+14155552671', '+15005550006')).toBe(true);
      expect(optOuts.has('+14155552671', '+15005550099')).toBe(false);
    },
  );

  it.each(['START', 'yes', 'Unstop'])('lifts it with %j', (word) => {
    const optOuts = new OptOuts();
    optOuts.hear('+14155552671', '+15005550006', 'STOP');
    optOuts.hear('+14155552671', '+15005550006', word);
    expect(optOuts.has('+14155552671', '+15005550006')).toBe(false);
  });

  it('does not take a keyword inside a sentence', () => {
    const optOuts = new OptOuts();
    optOuts.hear('+14155552671', '+15005550006', 'please stop');
    expect(optOuts.has('+14155552671', '+15005550006')).toBe(false);
  });
});
