import { limits } from '#contract/limits.js';
import { paths } from '../paths.js';
import { company, contactLink } from './company.js';
import { count, dailyLimit, freeCredits } from './facts.js';
import { list, type Page } from './page.js';

export const terms: Page = {
  path: paths.tos,
  title: 'Terms of Service',
  description: 'What you may send with Pennytext, how credits and refunds work, and what we owe each other.',
  intro: [
    '**Effective 1 Nov 2024**',
    `These terms are the contract between you and ${company.name}, ${company.place} (“we”), about Pennytext: the website, the dashboard and the API. You accept them by signing in, by using the API, or by buying credits. If you act for a company, you accept them for the company and must be allowed to.`,
  ],
  sections: [
    {
      title: 'Your account',
      blocks: [
        list(
          'You must be 18 or older. What you tell us about yourself must be true.',
          'Your API key identifies your account. Keep it secure, and do not share it: whatever is sent with it counts as sent by you.',
          `If someone else may have your key, replace it in the [dashboard](${paths.dashboard}) at once, and write to ${contactLink}.`,
          'One person or company may not open several accounts to get free credits or to go around a limit.',
        ),
      ],
    },
    {
      title: 'Whom you may text',
      blocks: [
        'Every recipient must have opted in: agreed, before your first message, to get this kind of message from you. You must be able to show it when we ask.',
        list(
          'Say who you are, in the first message at least.',
          'Respect every wish to get no more messages, however it reaches you. STOP and its like are enforced by the service; you must not go around them with another number or account.',
          'Follow the laws that hold where you and your recipients are, such as the TCPA and CAN-SPAM in the USA, CASL in Canada, and the ePrivacy rules and GDPR in Europe, and the rules of the phone networks.',
        ),
      ],
    },
    {
      title: 'What you may not send',
      blocks: [
        list(
          'Spam, and any message its recipient has not consented to.',
          'Job advertisements.',
          'Giveaways, prizes and sweepstakes.',
          'Payment notifications.',
          'Scams, phishing, and anything that deceives about who sends it or what it is about.',
          'Drugs, and what belongs to them, whether legal somewhere or not.',
          'Gambling.',
          'Shortened URLs.',
          'Anything that is against the law, threatens or harasses people, or infringes the rights of others.',
        ),
        `Messages with URLs need the activation of your account: write to ${contactLink}. Activation does not allow shortened URLs.`,
        'You may not attack or overload the service, look for its weaknesses without our consent, resell one-time passwords or numbers, or use the service for emergency calls.',
      ],
    },
    {
      title: 'What we do about abuse',
      blocks: [
        'We may refuse messages, block an account, and block network addresses that abuse the service, without notice where waiting would do harm. We say why as far as the law lets us. Credits of an account that was closed for breaking these terms are not paid back.',
        `If you think we are wrong, write to ${contactLink}: a person looks at it.`,
      ],
    },
    {
      title: 'Credits and prices',
      blocks: [
        list(
          `Credits are bought in packs at the [prices](${paths.pricing}) that are shown, in US dollars, as a one-time charge. Nothing renews by itself.`,
          `A new account gets ${freeCredits}.`,
          `A message costs its segments times the [credits of its country](${paths.regions}); a received message and a one-time password cost 1 credit each. Taxes are added where the law asks for them.`,
          'Credits do not expire. They are not money: they cannot be paid out, transferred or sold.',
          'We may change prices and the countries for the future. A message is charged at what held when it was taken.',
        ),
      ],
    },
    {
      title: 'Payments',
      blocks: [
        'Card payments are handled by Stripe, under its own terms; we do not see or store your card. Credits arrive when Stripe confirms the payment.',
        'While a payment is disputed, the credits it bought cannot be spent. When it is reversed or the dispute is lost, they are taken back as far as they are there, and the account may be blocked until the matter is settled.',
      ],
    },
    {
      title: 'Refunds',
      blocks: [
        list(
          'A message that was not sent or not delivered, as far as the carrier tells us, is refunded automatically.',
          'A request that is refused costs nothing.',
          `Bought credits of which none is used are refunded in money within 30 days, if you ask at ${contactLink}. Rights that consumer law gives you stay untouched.`,
        ),
        'A message that reached the phone is not refunded because it was not read or had no effect.',
      ],
    },
    {
      title: 'The service',
      blocks: [
        'We bring messages to the carrier as fast as we can, but phone networks decide whether and when a message arrives. Do not rely on SMS where a late or lost message can hurt someone.',
        list(
          `A new account may send ${dailyLimit} messages a day. We may raise or lower limits; the [documentation](${paths.rateLimits}) says what holds.`,
          `A message has at most ${count(limits.messageSegmentsMax)} segments.`,
          'We may change the service. Changes of the API that could break programs are announced beforehand by e-mail.',
          'We aim to be always there, and promise no particular availability.',
        ),
      ],
    },
    {
      title: 'Your data and your content',
      blocks: [
        `What we do with data is in the [Privacy Policy](${paths.privacy}). Your messages stay yours; you let us store and carry them as the service needs. You answer for what they say.`,
      ],
    },
    {
      title: 'Liability',
      blocks: [
        'The service is provided as it is. As far as the law allows, we give no warranties beyond these terms, are not liable for indirect damage, lost profit or lost data, and our liability in all is limited to what you paid us in the twelve months before the damage, or 100 US dollars if that is more.',
        'You compensate us for claims of others that come from your messages or from your breaking these terms.',
        'Nothing here limits liability that the law does not let us limit, such as for intent and gross negligence, or rights that you have as a consumer.',
      ],
    },
    {
      title: 'Ending',
      blocks: [
        `You can stop at any time, and have your account deleted by writing to ${contactLink}. We can end the contract with 30 days’ notice, and then refund unused bought credits; or at once if you break these terms.`,
      ],
    },
    {
      title: 'Law, changes, and the rest',
      blocks: [
        list(
          `The laws of ${company.law} hold, without its rules on conflicts of laws. The courts of New York County decide, unless consumer law gives you others.`,
          'When these terms change, the new ones are here with their date, and we write to the address of your account at least 30 days before. Who goes on using the service then accepts them.',
          'If a part of these terms does not hold, the rest does. That we do not insist on something once does not mean that we give it up.',
          'You may not transfer this contract without our consent; we may transfer it to a successor that takes over the service.',
          `You reach us at ${contactLink}.`,
        ),
      ],
    },
  ],
};
