import { limits } from '#contract/limits.js';
import { paths } from '../../paths.js';
import { received, receivedWithMedia, shown } from '../answers.js';
import { count, webhookAnswerSeconds } from '../facts.js';
import { code, inEveryLanguage, list, note, type Page, steps, table } from '../page.js';

export const receiving: Page = {
  path: paths.receiving,
  title: 'Receiving SMS Replies',
  description: 'Receive the replies to your messages as HTTP POSTs to your own URL.',
  intro: ['When someone replies to one of your messages, we post the reply to your webhook, a URL of yours.'],
  sections: [
    {
      title: 'Turn it on',
      blocks: [
        steps(
          'Put a program like the ones below on a server that can be reached from the internet, with https.',
          `Enter its address in your [dashboard](${paths.dashboard}) as \`Webhook URL to Receive ` +
            `SMS\`, and choose Update.`,
          'Copy the signing secret from the dashboard into the program.',
        ),
        'Without a webhook URL receiving is off: replies are neither kept nor charged. Those to a [number that you ' +
          `have bought](${paths.numbers}#replies) are always kept in ` +
          `[Conversations](${paths.dashboardConversations}), and charged.`,
      ],
    },
    {
      title: 'What your webhook gets',
      blocks: [
        code('POST to your webhook', 'json', shown(received)),
        table(
          ['Field', 'Meaning'],
          [
            ['`MessageId`', '34 characters, unique per reply. It stays the same when the reply is delivered again.'],
            ['`Sender`', 'The phone number of the person who replied.'],
            ['`Message`', 'The text; empty if the person sent files alone.'],
            ['`Status`', 'Always `Received`.'],
            ['`DateTime`', 'When it arrived, in New York time.'],
            ['`Recipient`', `Present for a [number of your own](${paths.numbers}): the number that it was written to.`],
            ['`Media`', 'Pictures and other files of the reply, if it has any: see below.'],
          ],
        ),
        `Respond with HTTP 200, or any other 2xx, within ${webhookAnswerSeconds} seconds. Any other ` +
          'response counts as a failure, and the reply is [delivered ' +
          `again](${paths.webhooks}#when-your-webhook-does-not-respond).`,
      ],
    },
    {
      title: 'Pictures and other files',
      blocks: [
        'A reply with files (an MMS) costs the same 1 credit. We copy its files from the carrier before we post ' +
          `the reply, and wait for them up to ${limits.replyMediaWaitSeconds} seconds.`,
        code('POST with a picture', 'json', shown(receivedWithMedia)),
        table(
          ['Field', 'Meaning'],
          [
            ['`Id`', '`GET /api/media/{Id}` with your key returns the file.'],
            ['`Url`', `The same without a key, for ${limits.mediaLinkDaysMax} days. Keep it to yourself.`],
            ['`Type`', 'Found in the bytes; `application/octet-stream` for what is no known type.'],
            ['`Bytes`, `Sha256`', 'Size and digest of the file, which is exactly what the person sent.'],
            [
              '`Status`',
              '`stored`; `failed` if the file could not be stored; `pending` if it was not there in time: then ' +
                '`message.media_ready` follows, if you turn it on.',
            ],
          ],
        ),
        `A file has at most ${limits.replyMediaBytesMax / 1_048_576} MB, a reply ${limits.replyMediaMax} of them. ` +
          `Files are kept for ${limits.mediaKeptDays} days: download what you need for longer. Anyone can send you ` +
          'anything, so never show a file inline from your own site without converting it. ' +
          `Of an account ${count(limits.mediaPerDayMax)} files and ${limits.mediaBytesPerDayMax / 1_048_576} MiB are ` +
          'copied within 24 hours; others wait, up to three days.',
      ],
    },
    {
      title: 'A complete receiver',
      blocks: [
        'Anyone can post to a public URL, so these programs accept only requests with [our ' +
          `signature](${paths.webhooks}#signatures).`,
        inEveryLanguage('receive-replies'),
      ],
    },
    {
      title: 'Which replies you get, and what they cost',
      blocks: [
        list(
          'From numbers that you have texted, and that answer to the number you texted from. A ' +
            `[number of your own](${paths.numbers}) gets what anyone writes to it.`,
          'A conversation is yours from the first message that you send from a shared number until 72 hours after ' +
            'your latest one, unless the operator has set another time.',
          'If another customer is already talking with that person from the same number, your message ' +
            'is sent, but replies go to them: the answer to your request then has `"replies": ' +
            '"unavailable"`.',
          'A received message costs 1 credit.',
          `One person’s replies are charged at most ${limits.chargedRepliesPerHourMax} times an hour. ` +
            'Further ones are listed in your dashboard as not forwarded, and cost nothing.',
          `When your balance is 0, replies are held, up to ${count(limits.heldMessagesMax)} of them. ` +
            'They are delivered and charged, oldest first, once there are credits again.',
        ),
      ],
    },
    {
      title: 'STOP and START',
      blocks: [
        'A person who replies STOP, STOPALL, STOP ALL, UNSUBSCRIBE, CANCEL, END, QUIT, REVOKE, ' +
          'OPTOUT, OPT OUT or OPT-OUT gets no more messages: sending to them fails with ' +
          '`recipient_opted_out`. Said to a number of yours, it holds for all your numbers and pools, also ' +
          'those that you get later; said to a shared number, for all shared numbers, and for each message ' +
          'of yours without `from`. START, YES or UNSTOP to any of them lifts that. Letter case, punctuation, emoji, ' +
          'spaces around the word and the form of its letters do not matter. The words are forwarded like any other ' +
          'reply; the carrier answers HELP.',
        'A message that you sent earlier and that still waits then fails and is refunded. So is one ' +
          'that the carrier refuses because it knows of an opt-out; later messages to that person are ' +
          'refused at once.',
        '`GET /api/optouts` lists the people whom you have texted and who have opted out, with the sender, ' +
          `the time and the word, newest first; [Opt-outs](${paths.dashboardOptOuts}) in the dashboard shows ` +
          'the same and exports it as CSV. With a sender that others use too, a ' +
          'person whom you have never texted may be refused, and is not listed. An opt-out from a number of yours ' +
          'stays yours when you release the number, and does not concern other customers.',
        note(
          'This happens automatically, even when receiving is off. You must not circumvent it, for ' +
            'instance with another number.',
        ),
      ],
    },
  ],
};
