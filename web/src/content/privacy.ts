import { limits } from '#contract/limits.js';
import { paths } from '../paths.js';
import { company, contactLink } from './company.js';
import { list, type Page, table } from './page.js';

export const privacy: Page = {
  path: paths.privacy,
  title: 'Privacy Policy',
  description:
    'What Pennytext knows about you and the people you text, why, who else sees it, and how long it is kept.',
  intro: [
    '**Effective 1 Nov 2024**',
    `This policy says what ${company.name}, ${company.place} (“we”), does with data when you use Pennytext: the website, the dashboard and the API. Questions, and requests about your data, go to ${contactLink}.`,
  ],
  sections: [
    {
      title: 'What we keep',
      blocks: [
        table(
          ['What', 'Why'],
          [
            [
              'From your Google sign-in: your name, your e-mail address, whether Google has verified it, and Google’s id of your account. Not your password, contacts or mail.',
              'To know whose account it is, and to write to you about it.',
            ],
            [
              'Where sign-in with a password is offered and you choose it: your name, e-mail address, whether you have confirmed it, and a hash of the password from which the password cannot be read.',
              'The same.',
            ],
            [
              'Messages you send and receive: the phone numbers, the text, times, status, segments and credits.',
              'To deliver them, to show you your history, and to account for your credits.',
            ],
            [
              'One-time passwords: a keyed hash of each code, and the number it was sent to.',
              'To verify the code that a person types.',
            ],
            [
              'Payments: amount, credits, date, the ids Stripe gives to payment and checkout, refunds and disputes. Not your card.',
              'To credit your account and to keep our books.',
            ],
            [
              'Your API keys, your webhook’s address and its signing secret, the last two encrypted where they are secret.',
              'To know your programs, and to call your webhook.',
            ],
            [
              'Calls to your webhook: what was sent, when, and the start of your answer.',
              'So that you can see what arrived and have it delivered again.',
            ],
            ['Phone numbers that have replied STOP.', 'So that they are not texted again.'],
            [
              'Sign-ins, changes of keys and settings, and what an operator did with an account.',
              'To find out what happened when something went wrong.',
            ],
            [
              'Network addresses: for a moment, to count requests; of addresses that were blocked for abuse; and of sign-ins and changes to your account, kept with the record of them.',
              'To limit request rates, to stop abuse, and to show who changed an account.',
            ],
            [
              'Technical logs: times, which call was made and how it ended. Not keys, message texts or whole phone numbers.',
              'To run the service and to find faults.',
            ],
          ],
        ),
      ],
    },
    {
      title: 'Cookies',
      blocks: [
        `One cookie, set when you sign in, identifies you. It ends when you sign out, after ${limits.sessionIdleDaysDefault} days without use, and in any case after ${limits.sessionDaysDefault} days. Another one lets your account recognize this browser, so that we can write to you about a sign-in from a strange one; it lives for ${limits.deviceDaysMax} days. During a sign-in with Google a further one lives for some minutes, so that no other site can sign you in to a strange account. There are no cookies for advertising and none of other companies; we count no visits and track no one.`,
      ],
    },
    {
      title: 'Who else sees it',
      blocks: [
        'These companies work for us, and get what their part needs:',
        list(
          '**Twilio**, and the phone networks behind it, get the numbers and texts of messages, as they carry them.',
          '**Stripe** takes card payments. What you enter on its page goes to Stripe alone; we never see or store card numbers. Stripe learns your e-mail address and what you buy.',
          '**Google** knows that you sign in here, and tells us who you are.',
          'The companies that run our servers and send our e-mails store and pass on data on our behalf.',
        ),
        'Your webhook gets the messages that are meant for you: what you do with them is your responsibility.',
        'We give data to authorities when the law requires it. We do not sell data, do not lend it, and do not use your messages for advertising or to train software.',
      ],
    },
    {
      title: 'The people you text',
      blocks: [
        `When you send messages, you decide who gets them and what they say; we process the numbers and texts on your behalf. You need the consent of the people you text, as the [Terms of Service](${paths.tos}) say, and you answer their questions about their data. Whoever replies STOP gets no more messages from that number.`,
        `If you have got a message through Pennytext that you did not want, reply STOP, or write to ${contactLink}.`,
      ],
    },
    {
      title: 'How long it is kept',
      blocks: [
        table(
          ['What', 'How long'],
          [
            ['Account, messages and replies', 'As long as you have the account. Ask, and we delete it.'],
            [
              'Payments and the ledger of your credits',
              'As long as you have the account, and after that as long as tax law requires.',
            ],
            [
              'One-time passwords',
              `${limits.otpRememberedHours} hours after they end. The text of the message is part of your history, without the code.`,
            ],
            [
              'Sign-ins, and changes of keys and settings',
              'As long as you have the account, and after that without anything that names you.',
            ],
            ['Calls to your webhook', `${limits.webhookDeliveriesKeptDays} days.`],
            ['Idempotency keys', `${limits.idempotencyHours} hours.`],
            ['Sessions', `At most ${limits.sessionDaysDefault} days.`],
            [
              'Numbers that replied STOP',
              'Until they reply START. They stay when the account is deleted, since the wish outlives it.',
            ],
            ['Technical logs', 'At most 90 days.'],
          ],
        ),
      ],
    },
    {
      title: 'Your rights',
      blocks: [
        `You may see your data, have it corrected, get a copy of it, have it deleted, and object to what we do with it. Much of it is in your [dashboard](${paths.dashboard}). For the rest write to ${contactLink} from the address of your account; we answer within 30 days, and it costs nothing.`,
        'If you live in the European Economic Area or the United Kingdom: we process account, message and payment data to fulfil our contract with you, logs and abuse prevention out of our legitimate interest in a service that works, and payment records because the law requires it. You may complain to your data protection authority. If you live in California: we do not sell or share personal information, and treat nobody differently for using these rights.',
      ],
    },
    {
      title: 'Where it is, and how it is kept safe',
      blocks: [
        'We and the companies named above work in the United States. If you are elsewhere, your data comes here, with the protection that the law asks for, such as the European Commission’s standard contractual clauses.',
        'Connections are encrypted. API keys are found by a keyed hash and stored encrypted, passwords and one-time passwords are stored as hashes, and few people can reach the data at all. Should data get into wrong hands nevertheless, we tell you without delay.',
      ],
    },
    {
      title: 'Children',
      blocks: ['Pennytext is for people of 18 and older. We do not knowingly keep accounts of anybody younger.'],
    },
    {
      title: 'Changes',
      blocks: [
        'When this policy changes, the new one is here with its date, and we write to the address of your account before a change that matters takes effect.',
      ],
    },
  ],
};
