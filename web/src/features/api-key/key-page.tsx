import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { useRef, useState } from 'react';
import { accountSidOf, type KeysAnswer, rotateKeyBody } from '#contract/account.js';
import { limits } from '#contract/limits.js';
import { keysQuery, rotateKey } from '../../api/account.js';
import { paths } from '../../paths.js';
import { wholeNumber } from '../../ui/format.js';
import { MaskedSecret } from '../../ui/masked-secret.js';
import { Moment } from '../../ui/moment.js';
import { Card, Notice, Table } from '../../ui/surface.js';
import { View } from '../../ui/view.js';
import { useSession } from '../../dashboard/frame/dashboard-context.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { failureOf } from '../../api/api-failure.js';
import { Button } from '../../ui/button.js';
import { Question } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { foundBy, formText, useForm } from '../../ui/form.js';
import { showToast } from '../../ui/toast.js';
import { ExposureCard } from './exposure-card.js';
import styles from './key.module.css';
import { NamedKeys } from './named-keys.js';
import { canceledText, ScheduledChoice } from './scheduled-choice.js';

/** The API key, its test key, and the replacement of both. */
export default function KeyPage() {
  const { data, error, refetch } = useQuery({
    ...keysQuery,
    // No live event reports the use of a key.
    refetchOnMount: 'always',
  });
  const [, setSearch] = useSearchParams();
  const createButton = useRef<HTMLButtonElement>(null);
  return (
    <View
      title="API Keys"
      lead="Your programs authenticate with a key. Keep it secret."
      actions={
        <Button
          ref={createButton}
          look="primary"
          onClick={() => setSearch({ create: '' }, { replace: true, preventScrollReset: true })}
        >
          Create key
        </Button>
      }
    >
      {data ? (
        <>
          <Keys keys={data} />
          <NamedKeys createButton={createButton} />
          <ExposureCard />
          <TwilioCard />
          <RotateKey masked={data.masked} earlier={data.earlier} />
          <EarlierKeys earlier={data.earlier} />
        </>
      ) : error ? (
        <FailureNotice error={error} what="Your API key could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
    </View>
  );
}

function Keys({ keys }: { keys: KeysAnswer }) {
  const { apiKey, masked, createdAt, lastUsedAt, lastUsedAddress } = keys;
  return (
    <div className={styles.pair}>
      <Card>
        <h2 className={styles.title}>Your key</h2>
        <MaskedSecret key={apiKey} name="API Key" secret={apiKey} masked={masked} />
        <dl className={styles.facts}>
          <dt>Created</dt>
          <dd>
            <Moment at={createdAt} />
          </dd>
          <dt>Last used</dt>
          <dd>
            {lastUsedAt ? <Moment at={lastUsedAt} /> : 'Never'}
            {lastUsedAddress !== null && ` from ${lastUsedAddress}`}
          </dd>
        </dl>
      </Card>
      <Card>
        <h2 className={styles.title}>Your test key</h2>
        <MaskedSecret key={apiKey} name="test key" secret={`${apiKey}_test`} masked={`${masked}_test`} />
        <p className={styles.text}>
          Your key followed by <code>_test</code>. Requests are checked and answered like real ones, but nothing is
          sent, stored or charged. <Link to={paths.testing}>Testing the API</Link>
        </p>
      </Card>
    </div>
  );
}

function TwilioCard() {
  const session = useSession();
  return (
    <Card>
      <h2 className={styles.title}>Use with Twilio's SDK</h2>
      <dl className={styles.facts}>
        <dt>Account SID</dt>
        <dd>{session ? <code>{accountSidOf(session.id)}</code> : 'Loading...'}</dd>
        <dt>Auth token</dt>
        <dd>Your key, or a named key with the scopes send and read</dd>
        <dt>Host</dt>
        <dd>This site's, in place of api.twilio.com</dd>
      </dl>
      <p className={styles.text}>
        <Link to={paths.migratingFromTwilio}>Migrating from Twilio</Link>
      </p>
    </Card>
  );
}

/** Earlier keys that still work, and until when. */
function EarlierKeys({ earlier }: Pick<KeysAnswer, 'earlier'>) {
  return (
    <section aria-labelledby="earlier-keys">
      <h2 id="earlier-keys" className={styles.title}>
        Earlier keys that still work
      </h2>
      {earlier.length === 0 ? (
        <p>None: only the current one works.</p>
      ) : (
        <Table label="Earlier keys that still work">
          <thead>
            <tr>
              <th scope="col">Key ending in</th>
              <th scope="col">Last used</th>
              <th scope="col">Works until</th>
            </tr>
          </thead>
          <tbody>
            {earlier.map(({ masked, lastUsedAt, expiresAt }) => (
              <tr key={`${masked} ${expiresAt}`}>
                <td>
                  <code>{masked.slice(-4)}</code>
                </td>
                <td>{lastUsedAt ? <Moment at={lastUsedAt} /> : 'Never'}</td>
                <td>
                  <Moment at={expiresAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}

const faultTexts = { keepOldForHours: `Enter whole hours from 0 to ${limits.oldKeyHoursMax}.` };

/** Replaces the key; the old one can keep working for a while. */
function RotateKey({ masked, earlier }: Pick<KeysAnswer, 'masked' | 'earlier'>) {
  const client = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const asked = search.get('replace');
  const question = { keepOldForHours: wholeNumber(asked ?? ''), cancel_scheduled: false };
  const confirmed = rotateKeyBody.safeParse(question).data?.keepOldForHours;
  // The address holds the question, so that a sign-in on the way leads back to it.
  const confirm = (hours?: number) =>
    setSearch(hours === undefined ? {} : { replace: String(hours) }, { replace: true, preventScrollReset: true });
  const [cancelScheduled, setCancelScheduled] = useState(false);
  const rotate = useMutation({
    mutationFn: rotateKey,
    onSuccess: (keys) => {
      client.setQueryData(keysQuery.queryKey, keys);
      confirm();
      showToast(`You have a new API key. Put it into your programs.${canceledText(keys)}`);
    },
    // A lost answer may have carried a new key, so the page shows what the server has.
    onError: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  const { inputOf, onSubmit } = useForm({
    read: (form) => {
      const given = { keepOldForHours: wholeNumber(formText(form, 'keepOldForHours')), cancel_scheduled: false };
      return foundBy(rotateKeyBody, given, faultTexts);
    },
    send: ({ keepOldForHours }) => {
      rotate.reset();
      confirm(keepOldForHours);
    },
  });
  return (
    <Card>
      <form className={styles.form} onSubmit={onSubmit} noValidate>
        <div>
          <h2 className={styles.rotateTitle}>Replace your key</h2>
          <p className={styles.rotateText}>
            Do this if someone else may know it. The old key can keep working for up to {limits.oldKeyHoursMax} hours,
            so you can update your programs one by one.
          </p>
        </div>
        <div className={styles.choice}>
          <Field
            {...inputOf('keepOldForHours')}
            label="Hours the old key keeps working"
            inputMode="numeric"
            autoComplete="off"
            defaultValue="24"
          />
          <Button type="submit">Replace key…</Button>
        </div>
      </form>
      {confirmed !== undefined && (
        <ConfirmRotation
          masked={masked}
          hours={confirmed}
          earlier={earlier.length}
          error={rotate.error}
          isBusy={rotate.isPending}
          cancelScheduled={cancelScheduled}
          onCancelScheduled={setCancelScheduled}
          onConfirm={() => rotate.mutate({ keepOldForHours: confirmed, cancel_scheduled: cancelScheduled })}
          onClose={() => confirm()}
        />
      )}
    </Card>
  );
}

interface ConfirmRotationProps {
  readonly masked: string;
  readonly hours: number;
  /** Number of earlier keys that still work. */
  readonly earlier: number;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly cancelScheduled: boolean;
  readonly onCancelScheduled: (isChosen: boolean) => void;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Warns which programs will stop working. */
function ConfirmRotation(props: ConfirmRotationProps) {
  const { masked, hours, earlier, error, isBusy, cancelScheduled, onCancelScheduled, onConfirm, onClose } = props;
  const end = masked.slice(-4);
  const failure = error && failureOf(error);
  return (
    <Question
      title="Replace your API key?"
      onClose={onClose}
      actions={
        <Button look="primary" disabled={isBusy} onClick={onConfirm}>
          {isBusy ? 'Loading...' : 'Replace key'}
        </Button>
      }
    >
      <div className={styles.words}>
        {hours === 0 ? (
          <p>
            The key ending in {end}
            {earlier > 0 && ' and every earlier key'} stops working at once. Programs that still use it get “User not
            found for the provided API key” and send nothing until you update them.
          </p>
        ) : (
          <p>
            You get a new key now. The key ending in {end} works for {hours} {hours === 1 ? 'hour' : 'hours'} more; then
            programs that still use it send nothing.
          </p>
        )}
        <p>
          Its test key stops working too. Your credits, messages and webhook stay as they are. This cannot be undone.
        </p>
        <ScheduledChoice keyId={undefined} isChosen={cancelScheduled} onChange={onCancelScheduled} />
        {failure?.code === 'too_many_keys' ? (
          <Notice kind="bad" role="alert">
            {failure.message} {failure.detail}
          </Notice>
        ) : (
          <ActionFailure error={error} what="Your key was not replaced." />
        )}
      </div>
    </Question>
  );
}
