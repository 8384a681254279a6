/** Outcome of a payment with a test card or test bank account. */
type CardOutcome = 'succeeds' | 'declines' | 'authenticates' | 'pays-later' | 'fails-later';

/** Outcome of saving a card, and of a payment with a saved card. */
type SavingOutcome = Extract<CardOutcome, 'succeeds' | 'declines' | 'authenticates'>;

export interface TestCard {
  readonly number: string;
  readonly name: string;
  /** Label of the outcome. */
  readonly does: string;
  readonly outcome: CardOutcome;
  /** Outcome of saving the card for later payments. */
  readonly saving: SavingOutcome;
  /** Outcome of a later payment with the saved card while its owner is absent. */
  readonly offSession: SavingOutcome;
  readonly isBank: boolean;
  /** Stripe's decline code and text. */
  readonly declined: { readonly code: string; readonly text: string };
}

const DECLINED = { code: 'generic_decline', text: 'Your card was declined.' };
const NO_FUNDS = { code: 'insufficient_funds', text: 'Your card has insufficient funds.' };
const NOT_A_TEST_CARD = {
  code: 'test_mode_live_card',
  text: 'Your card was declined. Your request was in test mode, but used a non test card.',
};

/** The first card, which pays at once. */
export const GOOD_CARD = card('4242424242424242', 'Succeeds', 'succeeds');

/** The supported test cards and bank accounts, as documented by Stripe. */
export const TEST_CARDS: readonly TestCard[] = [
  GOOD_CARD,
  card('4000002760003184', '3-D Secure', 'authenticates'),
  card('4000002500003155', '3-D Secure once', 'authenticates', DECLINED, { offSession: 'succeeds' }),
  card('4000000000000341', 'Declined when saved', 'declines', DECLINED, { saving: 'succeeds' }),
  card('4000000000000002', 'Is declined', 'declines'),
  card('4000000000009995', 'Has no funds', 'declines', NO_FUNDS),
  bank('000123456789', 'Pays later', 'pays-later'),
  bank('000111111113', 'Fails later', 'fails-later'),
];

/** Returns the test card of a number; any other number is declined, as in Stripe's test mode. */
export function cardOf(typed: string): TestCard {
  const number = typed.replace(/[\s-]/g, '');
  const known = TEST_CARDS.find((each) => each.number === number);
  return known ?? card(number, 'Is declined', 'declines', NOT_A_TEST_CARD);
}

/** Formats a card number in groups; a bank account stays unchanged. */
export function readableCard({ number, isBank }: TestCard): string {
  return isBank ? number : number.replace(/(\d{4})(?=\d)/g, '$1 ');
}

type SavedCard = Partial<Pick<TestCard, 'saving' | 'offSession'>>;

/** A saved card behaves as it does at a checkout unless `saved` differs. */
function card(
  number: string,
  does: string,
  outcome: SavingOutcome,
  declined = DECLINED,
  saved: SavedCard = {},
): TestCard {
  return {
    number,
    name: 'Visa',
    does,
    outcome,
    isBank: false,
    declined,
    saving: outcome,
    offSession: outcome,
    ...saved,
  };
}

function bank(number: string, does: string, outcome: CardOutcome): TestCard {
  const saved = { saving: 'declines', offSession: 'declines' } as const;
  return { number, name: 'Bank', does, outcome, isBank: true, declined: DECLINED, ...saved };
}
