/** Outcome of a payment with a test card or test bank account. */
type CardOutcome = 'succeeds' | 'declines' | 'authenticates' | 'pays-later' | 'fails-later';

export interface TestCard {
  readonly number: string;
  readonly name: string;
  /** Label of the outcome. */
  readonly does: string;
  readonly outcome: CardOutcome;
  readonly brand: string;
  readonly declineCode?: string;
  readonly declineText?: string;
}

const DECLINED = 'Your card was declined.';

/** The supported test cards and bank accounts, as documented by Stripe. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', name: 'Visa', does: 'Succeeds', outcome: 'succeeds', brand: 'visa' },
  {
    number: '4000002760003184',
    name: 'Visa',
    does: '3-D Secure',
    outcome: 'authenticates',
    brand: 'visa',
  },
  {
    number: '4000000000000002',
    name: 'Visa',
    does: 'Is declined',
    outcome: 'declines',
    brand: 'visa',
    declineCode: 'generic_decline',
    declineText: DECLINED,
  },
  {
    number: '4000000000009995',
    name: 'Visa',
    does: 'Has no funds',
    outcome: 'declines',
    brand: 'visa',
    declineCode: 'insufficient_funds',
    declineText: 'Your card has insufficient funds.',
  },
  { number: '000123456789', name: 'Bank', does: 'Pays later', outcome: 'pays-later', brand: 'bank' },
  { number: '000111111113', name: 'Bank', does: 'Fails later', outcome: 'fails-later', brand: 'bank' },
];

/** Returns the test card of a number; any other number is declined, as in Stripe's test mode. */
export function cardOf(typed: string): TestCard {
  const number = typed.replace(/[\s-]/g, '');
  const known = TEST_CARDS.find((card) => card.number === number);
  if (known !== undefined) return known;
  return {
    number,
    name: 'Card',
    does: 'Is declined',
    outcome: 'declines',
    brand: 'unknown',
    declineCode: 'test_mode_live_card',
    declineText: `${DECLINED} Your request was in test mode, but used a non test card.`,
  };
}

export function isBank({ brand }: TestCard): boolean {
  return brand === 'bank';
}

/** Formats a card number in groups; a bank account stays unchanged. */
export function readableCard({ number, brand }: TestCard): string {
  return brand === 'bank' ? number : number.replace(/(\d{4})(?=\d)/g, '$1 ');
}
