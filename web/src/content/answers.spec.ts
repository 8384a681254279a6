import { balanceAnswer } from '#contract/credits.js';
import { failureAnswer, messageAnswer, priceQuoteAnswer, sendSmsAnswer } from '#contract/messages.js';
import { verifyOtpAnswer } from '#contract/otp.js';
import { receivedMessagePayload } from '#contract/webhooks.js';
import {
  accepted,
  acceptedSmart,
  acceptedWithReference,
  balance,
  deduplicated,
  delivered,
  quoted,
  received,
  refusal,
  tested,
  verifiedOtp,
} from './answers.js';

describe('documented answers', () => {
  it.each([
    ['sendsms', sendSmsAnswer, accepted],
    ['sendsms with a reference', sendSmsAnswer, acceptedWithReference],
    ['sendsms with smart encoding', sendSmsAnswer, acceptedSmart],
    ['sendsms with dedupe', sendSmsAnswer, deduplicated],
    ['sendsms with a test key', sendSmsAnswer, tested],
    ['a quote', priceQuoteAnswer, quoted],
    ['balance', balanceAnswer, balance],
    ['a message', messageAnswer, delivered],
    ['verifyotp', verifyOtpAnswer, verifiedOtp],
    ['a received message', receivedMessagePayload, received],
    ['a refusal', failureAnswer, refusal('no_credits', 'The balance is 0. You were not charged.')],
  ])('%s: has the fields of the contract and no others', (_name, shape, answer) => {
    expect(shape.strict().parse(answer)).toEqual(answer);
  });

  it('shows a consistent balance', () => {
    expect(balance.balance).toBe(balance.purchased - balance.used);
  });
});
