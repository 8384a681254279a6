import { balanceAnswer } from '#contract/credits.js';
import { failureAnswer, messageAnswer, sendSmsAnswer } from '#contract/messages.js';
import { verifyOtpAnswer } from '#contract/otp.js';
import { receivedMessagePayload } from '#contract/webhooks.js';
import {
  accepted,
  acceptedWithReference,
  balance,
  delivered,
  received,
  refusal,
  tested,
  verifiedOtp,
} from './answers.js';

describe('documented answers', () => {
  it.each([
    ['sendsms', sendSmsAnswer, accepted],
    ['sendsms with a reference', sendSmsAnswer, acceptedWithReference],
    ['sendsms with a test key', sendSmsAnswer, tested],
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
