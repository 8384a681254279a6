import { useState } from 'react';
import { Link } from 'react-router';
import type { Pack } from '#contract/packs.js';
import type { MessagePrice } from '../../content/pricing.js';
import { paths } from '../../paths.js';
import { credits } from '../../ui/credits.js';
import { Field, Select } from '../../ui/field.js';
import { Flag } from '../../ui/icons.js';
import { Card, Table } from '../../ui/surface.js';
import { monthlyCosts } from './monthly-cost.js';
import styles from './message-prices.module.css';

interface MessagePricesProps {
  readonly prices: readonly MessagePrice[];
  readonly packs: readonly Pack[];
  /** Price of a message with pictures: '3 credits'. */
  readonly mmsPrice: string;
  /** Monthly rents of numbers: '50 credits'. */
  readonly numberRents: { readonly local: string; readonly tollFree: string };
}

/** Price of one message to each country, by pack. */
export function MessagePrices({ prices, packs, mmsPrice, numberRents }: MessagePricesProps) {
  return (
    <section className={styles.section} aria-labelledby="message-prices">
      <h2 id="message-prices">Price per message</h2>
      <p className={styles.words}>
        In US dollars, for a message of one segment: up to 160 characters, or 70 with letters and signs outside the
        basic set. A longer message has several segments, each at this price. A one-time password is 1 credit by SMS,
        and so is a reply that you receive; a <Link to={paths.otp}>code by WhatsApp, call or email</Link> has a price of
        its own. A message with pictures (MMS), to the USA or Canada, is {mmsPrice}, whatever it holds.
      </p>
      <p className={styles.words}>
        A <Link to={paths.numbers}>number of your own</Link> is {numberRents.local} a month, a toll-free one{' '}
        {numberRents.tollFree}. Without one, messages come from shared numbers, which cost nothing.
      </p>
      <Table label="Price per message by country and pack" stacks>
        <thead>
          <tr>
            <th scope="col">Country</th>
            <th scope="col" data-number>
              Credits
            </th>
            {packs.map(({ id, title }) => (
              <th key={id} scope="col" data-number>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {prices.map(({ country, iso2, creditsPerSms, prices: each }) => (
            <tr key={iso2}>
              <th scope="row">
                <span className={styles.country}>
                  <Flag iso2={iso2} />
                  {country}
                </span>
              </th>
              <td data-title="Credits" data-short data-number>
                {creditsPerSms}
              </td>
              {packs.map(({ id, title }, place) => (
                <td key={id} data-title={title} data-short data-number>
                  {each[place]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

const MESSAGES_MAX = 10_000_000;
const SEGMENTS_MAX = 10;
const segmentChoices = Array.from({ length: SEGMENTS_MAX }, (_, place) => {
  const count = place + 1;
  return [String(count), count === 1 ? '1 segment' : `${count} segments`] as const;
});

/** Credits and dollars of a month's messages. Hidden without scripts, which compute them. */
export function PriceCalculator({ prices, packs }: { prices: readonly MessagePrice[]; packs: readonly Pack[] }) {
  const [country, setCountry] = useState('US');
  const [text, setText] = useState('500');
  const [segments, setSegments] = useState('1');
  const messages = /^[\d,\s]+$/.test(text) ? Number(text.replaceAll(/[,\s]/g, '')) : NaN;
  const isValid = messages >= 1 && messages <= MESSAGES_MAX;
  const each = Number(segments) * (prices.find(({ iso2 }) => iso2 === country)?.creditsPerSms ?? 1);
  return (
    <section className={`${styles.section} ${styles.calculator}`} aria-labelledby="price-calculator">
      <h2 id="price-calculator">Calculator</h2>
      <Card>
        <div className={styles.inputs}>
          <Select
            label="Messages to"
            value={country}
            options={prices.map(({ iso2, country: name }) => [iso2, name])}
            onChange={setCountry}
          />
          <Field
            label="Messages a month"
            inputMode="numeric"
            autoComplete="off"
            value={text}
            fault={isValid ? undefined : `A whole number from 1 to ${MESSAGES_MAX.toLocaleString('en-US')}.`}
            onChange={({ target }) => setText(target.value)}
          />
          <Select label="Length of each" value={segments} options={segmentChoices} onChange={setSegments} />
        </div>
        <output className={styles.result} aria-live="polite">
          {isValid ? (
            <>
              <strong>{credits(messages * each)}</strong> a month, {credits(each)} for each message
            </>
          ) : (
            `Enter a whole number of messages, at most ${MESSAGES_MAX.toLocaleString('en-US')}.`
          )}
        </output>
        <ul className={styles.costs}>
          {monthlyCosts(packs, isValid ? messages : 1, each).map((cost) => (
            <li key={cost.id} data-cheapest={isValid && cost.isCheapest ? true : undefined}>
              <span className={styles.pack}>
                {cost.title}
                {isValid && cost.isCheapest && <span className={styles.cheapest}>Lowest price</span>}
              </span>
              <span className={styles.price}>{isValid ? cost.price : '–'}</span>
              <span className={styles.words}>
                {isValid ? `${cost.packs.toLocaleString('en-US')} ${cost.packs === 1 ? 'pack' : 'packs'}, ` : ''}
                {cost.perMessage} a message
              </span>
              {isValid && (
                <span className={styles.words}>
                  {cost.creditsLeft === 0 ? 'No credits left over' : `${credits(cost.creditsLeft)} left over`}
                </span>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}
