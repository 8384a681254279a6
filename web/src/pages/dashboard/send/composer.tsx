import { useId, useState, type KeyboardEvent } from 'react';
import { FailureNotice } from '../../../dashboard/ui/failure-notice.js';
import { Button } from '../../../ui/button.js';
import { Card } from '../../../ui/card.js';
import { Field } from '../../../ui/field.js';
import styles from './composer.module.css';
import { EquivalentCurl } from './equivalent-curl.js';
import { KeyChoice } from './key-choice.js';
import { fieldOf } from './message-faults.js';
import { MessageField } from './message-field.js';
import { QuoteFigures } from './quote-figures.js';
import { RecipientCountry } from './recipient-country.js';
import { RefusalNotice } from './refusal-notice.js';
import { SentNotice } from './sent-notice.js';
import { useQuote } from './use-quote.js';
import { useSending } from './use-sending.js';

/** Writes one message, with its price in sight, and sends it. */
export function Composer() {
  const figuresId = useId();
  const [to, setTo] = useState('');
  const [message, setMessage] = useState('');
  const [isLive, setLive] = useState(false);
  const [isToLeft, setToLeft] = useState(false);
  const { quote, isOld, error, retry } = useQuote({ to, message });
  const { send, reset, isSending, answer, refusal } = useSending((sent) => {
    // A live message is gone; what was typed since stays.
    if (sent.isLive) setMessage((typed) => (typed === sent.message ? '' : typed));
  });

  // It is about what was sent: as soon as that is changed, the server's word on what stands there now counts.
  const isRefused = refusal?.of.to === to && refusal.of.message === message && refusal.of.isLive === isLive;
  const failure = isRefused ? refusal.failure : undefined;
  const refusedField = failure && fieldOf(failure, { to, message });
  const faultOf = (field: 'to' | 'message' | 'credits') =>
    failure && refusedField === field ? failure.detail : quote?.faults.find((fault) => fault.field === field)?.detail;

  const trySending = () => {
    if (!isSending) send({ to, message, isLive });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    trySending();
  };
  return (
    <div className={styles.columns}>
      <Card>
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            trySending();
          }}
        >
          <div>
            <Field
              label="To"
              type="tel"
              autoComplete="off"
              value={to}
              fault={isToLeft || refusedField === 'to' ? faultOf('to') : undefined}
              onChange={({ target }) => setTo(target.value)}
              onFocus={() => setToLeft(false)}
              onBlur={() => setToLeft(true)}
              onKeyDown={onKeyDown}
            />
            <RecipientCountry quote={quote} />
          </div>
          <MessageField
            value={message}
            fault={faultOf('message')}
            describedBy={figuresId}
            onChange={setMessage}
            onKeyDown={onKeyDown}
          />
          {error && !quote ? (
            <FailureNotice error={error} what="The price could not be asked for." onRetry={retry} />
          ) : (
            <QuoteFigures id={figuresId} quote={quote} isOld={isOld || error !== null} isLive={isLive} />
          )}
          <KeyChoice
            isLive={isLive}
            onChange={(live) => {
              setLive(live);
              reset();
            }}
          />
          {isLive && !failure && faultOf('credits') && <p className={styles.fault}>{faultOf('credits')}</p>}
          <div className={styles.act}>
            <Button type="submit" look="primary" disabled={isSending}>
              {isSending ? 'Loading...' : 'Send'}
            </Button>
            <p className={styles.hint}>
              or <kbd>Ctrl</kbd> <kbd>Enter</kbd>
            </p>
          </div>
          {failure && <RefusalNotice failure={failure} isBesideField={refusedField !== undefined} isLive={isLive} />}
          {answer && <SentNotice key={answer.message_id} answer={answer} />}
        </form>
      </Card>
      <EquivalentCurl to={to} message={message} isLive={isLive} />
    </div>
  );
}
