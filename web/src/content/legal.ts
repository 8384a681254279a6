import { limits } from '#contract/limits.js';
import { paths } from '../paths.js';
import { company, contactLink } from './company.js';
import { count, dailyLimit, freeCredits } from './facts.js';
import { list, type Page, table } from './page.js';

export const terms: Page = {
  path: paths.tos,
  title: 'Terms of Service',
  description: 'What you may send with Pennytext, how credits and refunds work, and what we owe each other.',
  intro: [
    '**Effective 1 Nov 2024**',
    `These terms are the contract between you and ${company.name}, ${company.place} (“we”), about ` +
      'Pennytext: the website, the dashboard and the API. You accept them by signing in, by using the ' +
      'API, or by buying credits. If you act for a company, you accept them for the company and must be ' +
      'allowed to.',
  ],
  sections: [
    {
      title: 'Your account',
      blocks: [
        list(
          'You must be 18 or older. What you tell us about yourself must be true.',
          'Your API key identifies your account. Keep it secure, and do not share it: whatever is ' +
            'sent with it counts as sent by you.',
          `If someone else may have your key, replace it in the [dashboard](${paths.dashboard}) at ` +
            `once, and write to ${contactLink}.`,
          'One person or company may not open several accounts to get free credits or to go around a limit.',
        ),
      ],
    },
    {
      title: 'Whom you may text',
      blocks: [
        'Every recipient must have opted in: agreed, before your first message, to get this kind of ' +
          'message from you. You must be able to show it when we ask.',
        list(
          'Say who you are, in the first message at least.',
          'Respect every wish to get no more messages, however it reaches you. STOP and its like are ' +
            'enforced by the service; you must not go around them with another number or account.',
          'Follow the laws that hold where you and your recipients are, such as the TCPA and CAN-SPAM ' +
            'in the USA, CASL in Canada, and the ePrivacy rules and GDPR in Europe, and the rules of ' +
            'the phone networks.',
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
        `Messages with URLs need the activation of your account: write to ${contactLink}. Activation ` +
          'does not allow shortened URLs.',
        'You may not attack or overload the service, look for its weaknesses without our consent, ' +
          'resell one-time passwords or numbers, or use the service for emergency calls.',
      ],
    },
    {
      title: 'What we do about abuse',
      blocks: [
        'We may refuse messages, block an account, and block network addresses that abuse the ' +
          'service, without notice where waiting would do harm. We say why as far as the law lets us. ' +
          'Credits of an account that was closed for breaking these terms are not paid back.',
        `If you think we are wrong, write to ${contactLink}: a person looks at it.`,
      ],
    },
    {
      title: 'Credits and prices',
      blocks: [
        list(
          `Credits are bought in packs at the [prices](${paths.pricing}) that are shown, in US ` +
            'dollars, as a one-time charge. Nothing renews by itself.',
          `A new user gets ${freeCredits}, once per person: a further account of the same person, or ` +
            'a new one after a deleted one, starts with 0.',
          `A message costs its segments times the [credits of its country](${paths.regions}); a ` +
            'received message and a one-time password cost 1 credit each. Taxes are added where the law ' +
            'asks for them.',
          'Credits do not expire. They are not money: they cannot be paid out, transferred or sold.',
          'We may change prices and the countries for the future. A message is charged at what held when it was taken.',
        ),
      ],
    },
    {
      title: 'Payments',
      blocks: [
        'Card payments are handled by Stripe, under its own terms; we do not see or store your card. ' +
          'Credits arrive when Stripe confirms the payment.',
        'While a payment is disputed, the credits it bought cannot be spent. When it is reversed or ' +
          'the dispute is lost, they are taken back as far as they are there, and the account may be ' +
          'blocked until the matter is settled.',
      ],
    },
    {
      title: 'Refunds',
      blocks: [
        list(
          'A message that was not sent or not delivered, as far as the carrier tells us, is refunded automatically.',
          'A request that is refused costs nothing.',
          'Bought credits of which none is used are refunded in money within 30 days, if you ask at ' +
            `${contactLink}. Rights that consumer law gives you stay untouched.`,
        ),
        'A message that reached the phone is not refunded because it was not read or had no effect.',
      ],
    },
    {
      title: 'The service',
      blocks: [
        'We bring messages to the carrier as fast as we can, but phone networks decide whether and ' +
          'when a message arrives. Do not rely on SMS where a late or lost message can hurt someone.',
        list(
          `A new account may send ${dailyLimit} messages a day. We may raise or lower limits; the ` +
            `[documentation](${paths.rateLimits}) lists the current ones.`,
          `A message has at most ${count(limits.messageSegmentsMax)} segments.`,
          'We may change the service. Changes of the API that could break programs are announced beforehand by email.',
          'We aim to be always there, and promise no particular availability.',
        ),
      ],
    },
    {
      title: 'Your data and your content',
      blocks: [
        `What we do with data is in the [Privacy Policy](${paths.privacy}). Your messages stay yours; ` +
          'you let us store and carry them as the service needs. You answer for what they say.',
      ],
    },
    {
      title: 'Liability',
      blocks: [
        'The service is provided as it is. As far as the law allows, we give no warranties beyond ' +
          'these terms, are not liable for indirect damage, lost profit or lost data, and our liability ' +
          'in all is limited to what you paid us in the twelve months before the damage, or 100 US ' +
          'dollars if that is more.',
        'You compensate us for claims of others that come from your messages or from your breaking these terms.',
        'Nothing here limits liability that the law does not let us limit, such as for intent and ' +
          'gross negligence, or rights that you have as a consumer.',
      ],
    },
    {
      title: 'Ending',
      blocks: [
        'You can stop at any time, and delete your account on the [Account ' +
          `page](${paths.dashboardAccount}) of the dashboard, or have it deleted by writing to ` +
          `${contactLink}. It is deleted ${limits.accountDeletionGraceDays} days after you ask; until ` +
          'then you can keep it. Unused credits are lost with it. We can end the contract with 30 days’ ' +
          'notice, and then refund unused bought credits; or at once if you break these terms.',
      ],
    },
    {
      title: 'Law, changes, and the rest',
      blocks: [
        list(
          `The laws of ${company.law} hold, without its rules on conflicts of laws. The courts of New ` +
            'York County decide, unless consumer law gives you others.',
          'When these terms change, the new ones are here with their date, and we write to the ' +
            'address of your account at least 30 days before. Who goes on using the service then ' +
            'accepts them.',
          'If a part of these terms does not hold, the rest does. That we do not insist on something ' +
            'once does not mean that we give it up.',
          'You may not transfer this contract without our consent; we may transfer it to a successor ' +
            'that takes over the service.',
          `You reach us at ${contactLink}.`,
        ),
      ],
    },
  ],
};

export const privacy: Page = {
  path: paths.privacy,
  title: 'Privacy Policy',
  description:
    'What Pennytext knows about you and the people you text, why, who else sees it, and how long it is kept.',
  intro: [
    '**Effective 1 Nov 2024**',
    `This policy says what ${company.name}, ${company.place} (“we”), does with data when you use ` +
      'Pennytext: the website, the dashboard and the API. Questions, and requests about your data, go ' +
      `to ${contactLink}.`,
  ],
  sections: [
    {
      title: 'What we keep',
      blocks: [
        table(
          ['What', 'Why'],
          [
            [
              'From your Google sign-in: your name, your email address, whether Google has verified ' +
                'it, and Google’s id of your account. Not your password, contacts or mail.',
              'To know whose account it is, and to write to you about it.',
            ],
            [
              'Where sign-in with a password is offered and you choose it: your name, email address, ' +
                'whether you have confirmed it, and a hash of the password from which the password ' +
                'cannot be read.',
              'The same.',
            ],
            [
              'Messages you send and receive: the phone numbers, the text, times, status, segments and credits.',
              'To deliver them, to show you your history, and to account for your credits.',
            ],
            [
              'Pictures and other files of messages and replies, and those that you upload; where a file is given ' +
                'as a URL, we fetch it from there.',
              'To deliver them and to show them to you.',
            ],
            [
              'By which carriers a message was tried, when, how each try ended, and what it cost us. Of many ' +
                'customers together, without phone numbers: how many messages and codes to a country arrive.',
              'To choose the carrier that delivers, to answer your questions, and to keep our books.',
            ],
            [
              'Phone numbers that you rent: which, what you call them, from when to when, what was paid, and the ' +
                'pools that you put them into.',
              'To send and receive with them, and to know whose a number is.',
            ],
            [
              'Which of our numbers or yours a person writes with, and whether a reply waits for an answer.',
              'So that people always see the same number, and to show you conversations.',
            ],
            [
              'One-time passwords: a keyed hash of each code, and the number it was sent to. Until ' +
                'the carrier has the message its text, encrypted.',
              'To verify the code that a person types.',
            ],
            [
              'Of the person who asks a customer’s program for a one-time password, if that program ' +
                'passes them on: network address (`ip`) and device (`device`), as keyed hashes from ' +
                'which they cannot be read. So is the number.',
              'To notice and refuse many requests of one person or program.',
            ],
            [
              'Payments: amount, credits, date, the ids Stripe gives to payment and checkout, refunds ' +
                'and disputes; your invoices, with the company, address and VAT id that you enter. Not ' +
                'your card: of one that you save for automatic top-up its brand, last four digits and ' +
                'expiry, and Stripe’s ids.',
              'To credit your account and to keep our books.',
            ],
            [
              'Your API keys, your webhook’s address and its signing secret, and addresses that single messages ' +
                'name for their status; keys and secrets encrypted or as keyed hashes.',
              'To know your programs, and to call your webhook and these addresses.',
            ],
            [
              'Calls to your webhook and to such addresses: what was sent, when, and the start of the answer. Where ' +
                'your program listens to the stream of events instead: the events.',
              'So that you can see what arrived and have it delivered again.',
            ],
            [
              'Calls to the API: time, path, how each ended, how long it took, the key’s name and ' +
                'last characters, and which fields were sent: phone numbers masked, of texts and codes ' +
                'only the length.',
              'So that you can find a fault in your program.',
            ],
            ['Emails to you: when they were sent, and what they say.', 'To send each one once.'],
            ['Searches of the dashboard that you save under a name.', 'To offer them to you again.'],
            [
              'Phone numbers that have replied STOP, or that the carrier refused for that reason.',
              'So that they are not texted again.',
            ],
            [
              'Sign-ins, changes of keys and settings, and what an operator did with an account.',
              'To find out what happened when something went wrong.',
            ],
            [
              'Network addresses: for a moment, to count requests; the last one that used each of ' +
                'your API keys; the network of a new account; of each of your sessions, with the kind ' +
                'of browser and system; of addresses that were blocked for abuse; and of sign-ins and ' +
                'changes to your account, kept with the record of them.',
              'To limit request rates and new accounts, to stop abuse, and to show you who uses or ' +
                'changed your account.',
            ],
            [
              'That a person got free credits: a hash of the email address, without dots and tags.',
              'Because they are given once per person.',
            ],
            [
              'Technical logs: times, which call was made and how it ended. Not keys, message texts ' +
                'or whole phone numbers.',
              'To run the service and to find faults.',
            ],
          ],
        ),
      ],
    },
    {
      title: 'Cookies',
      blocks: [
        'One cookie, set when you sign in, identifies you. It ends when you sign out, after ' +
          `${limits.sessionIdleDaysDefault} days without use, and in any case after ` +
          `${limits.sessionDaysDefault} days. Another one lets your account recognize this browser, so ` +
          'that we can write to you about a sign-in from a strange one; it lives for ' +
          `${limits.deviceDaysMax} days. During a sign-in with Google a further one lives for some ` +
          'minutes, so that no other site can sign you in to a strange account. There are no cookies ' +
          'for advertising and none of other companies; we count no visits and track no one.',
      ],
    },
    {
      title: 'Who else sees it',
      blocks: [
        'These companies work for us, and get what their part needs:',
        list(
          '**The carriers** get the phone numbers, texts and files of messages, as they carry them, and pass them on ' +
            'to the phone networks behind them; what you receive comes by them. They are Twilio, Telnyx and SMS ' +
            'centers of other companies that are connected by SMPP: those of them that serve a country. The number ' +
            'that you rent is rented from one of them, which does not learn your name from us. Where a carrier keeps ' +
            'a copy of a received file and lets us delete it, we do so as soon as ours is stored. One-time passwords ' +
            'can also go by WhatsApp, which passes them on through Meta, by voice call and by email: the carrier of ' +
            'that channel gets the number or the email address, and the code.',
          '**Stripe** takes card payments. What you enter on its page goes to Stripe alone; we never ' +
            'see or store card numbers. Stripe learns your email address and what you buy.',
          '**Google** knows that you sign in here, and tells us who you are.',
          'The companies that run our servers, store files and send our emails store and pass on data on our behalf.',
        ),
        `A file also has a link that works without a key for at most ${limits.mediaLinkDaysMax} days: ` +
          '**everybody who has the link can open the file**. Such links are in webhooks and in your data export, ' +
          'carriers fetch the files of messages by them, and ' +
          'a person gets one where a message brings its files as links. Give them ' +
          'only to people who may see the file.',
        'Your webhook gets the messages that are meant for you: what you do with them is your responsibility.',
        'We give data to authorities when the law requires it. We do not sell data, do not lend it, ' +
          'and do not use your messages for advertising or to train software.',
      ],
    },
    {
      title: 'The people you text',
      blocks: [
        'When you send messages, you decide who gets them and what they say; we process the numbers ' +
          'and texts on your behalf. You need the consent of the people you text, as the [Terms of ' +
          `Service](${paths.tos}) say, and you answer their questions about their data. A person who ` +
          'replies STOP to a number that customers share gets no more messages from shared numbers; who replies STOP ' +
          'to a number of one customer gets none from any number of that customer.',
        `If you have got a message through Pennytext that you did not want, reply STOP, or write to ${contactLink}.`,
      ],
    },
    {
      title: 'How long it is kept',
      blocks: [
        table(
          ['What', 'How long'],
          [
            [
              'Account, messages with the tries of carriers, and replies; saved card; saved searches; emails to you; ' +
                'the last network address of a key',
              'As long as you have the account. You delete it on the [Account ' +
                `page](${paths.dashboardAccount}): after ${limits.accountDeletionGraceDays} days, in ` +
                'which you can change your mind, numbers, texts, names, keys and settings are erased. ' +
                'Or ask, and we delete it.',
            ],
            [
              'Files of messages and replies, and uploaded ones',
              `${limits.mediaKeptDays} days; a file of a message that waits longer, until it has left. Of an expired ` +
                'file its type and size stay with the message.',
            ],
            ['Links to files', `They work for at most ${limits.mediaLinkDaysMax} days, and no longer than the file.`],
            [
              'Phone numbers that you rent',
              'As long as you have the account. When it is deleted they are given back, and that they were rented, ' +
                'from when to when and for how much, stays without your name and what you called them. No other ' +
                `customer gets a number that was given back for ${limits.numberRestDays} days.`,
            ],
            [
              'Payments and the ledger of your credits',
              'As long as you have the account, and after that as long as tax law requires.',
            ],
            [
              'One-time passwords',
              `${limits.otpRememberedHours} hours after they end. The text of the message is part of ` +
                'your history, without the code.',
            ],
            [
              'Sign-ins, and changes of keys and settings',
              'As long as you have the account, and after that with their network address, but ' +
                'without your name and email address.',
            ],
            ['Calls to the API', `${limits.requestLogDaysDefault} days.`],
            ['Hashes of network address, device and number of a person who asks for a one-time password', '25 hours.'],
            ['The network of a new account', '24 hours.'],
            [
              'The hash that a person got free credits',
              'Without end. It stays when the account is deleted, so that deleting one does not bring ' +
                'free credits again.',
            ],
            [
              'Calls to your webhook and to addresses that messages name',
              `${limits.webhookDeliveriesKeptDays} days; events that your program listens to, ` +
                `${limits.eventsKeptDays} days.`,
            ],
            ['Idempotency keys', `${limits.idempotencyHours} hours.`],
            ['Sessions', `At most ${limits.sessionDaysDefault} days.`],
            [
              'Numbers that replied STOP, or that the carrier refused for that reason',
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
        'You may see your data, have it corrected, get a copy of it, have it deleted, and object to ' +
          `what we do with it. Much of it is in your [dashboard](${paths.dashboard}): its [Account ` +
          `page](${paths.dashboardAccount}) downloads your data and deletes your account. For the rest ` +
          `write to ${contactLink} from the address of your account; we answer within 30 days, and it ` +
          'costs nothing.',
        'If you live in the European Economic Area or the United Kingdom: we process account, message ' +
          'and payment data to fulfil our contract with you, logs and abuse prevention out of our ' +
          'legitimate interest in a service that works, and payment records because the law requires ' +
          'it. You may complain to your data protection authority. If you live in California: we do not ' +
          'sell or share personal information, and do not treat you differently for using these rights.',
      ],
    },
    {
      title: 'Where it is, and how it is kept safe',
      blocks: [
        'We and the companies named above work in the United States. If you are elsewhere, your data ' +
          'comes here, with the protection that the law asks for, such as the European Commission’s ' +
          'standard contractual clauses.',
        'Connections are encrypted. API keys are found by a keyed hash and stored encrypted, ' +
          'passwords and one-time passwords are stored as hashes, and few people can reach the data at ' +
          'all. Should data get into wrong hands nevertheless, we tell you without delay.',
      ],
    },
    {
      title: 'Children',
      blocks: ['Pennytext is for people of 18 and older. We do not knowingly keep accounts of anybody younger.'],
    },
    {
      title: 'Changes',
      blocks: [
        'When this policy changes, the new one is here with its date, and we write to the address of ' +
          'your account before a change that matters takes effect.',
      ],
    },
  ],
};
