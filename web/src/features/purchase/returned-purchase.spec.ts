import { returnedPurchase } from './returned-purchase.js';

describe('returnedPurchase', () => {
  it.each([
    ['?transaction=success&credits=250&session_id=cs_1', { kind: 'success', sessionId: 'cs_1' }],
    ['?transaction=success&credits=250', { kind: 'success', sessionId: null }],
    ['?transaction=success&credits=250&session_id=', { kind: 'success', sessionId: null }],
    ['?transaction=failed', { kind: 'failed' }],
    ['?transaction=paid', undefined],
    ['?session_id=cs_1', undefined],
    ['', undefined],
  ])('%s', (search, returned) => {
    expect(returnedPurchase(search)).toEqual(returned);
  });
});
