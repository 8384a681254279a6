import { useEffect, useRef, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { dollars, type PackId, packs } from '#contract/packs.js';
import { limits } from '#contract/limits.js';
import { type TopUpAnswer, topUpBody, type TopUpView } from '#contract/billing.js';
import { creditsQuery } from '../../api/account.js';
import {
  billingKey,
  changeTopUp,
  confirmTopUp,
  ledgerKey,
  openCardSetup,
  removeCard,
  saveCard,
  settleTopUp,
  topUpKey,
  topUpQuery,
} from '../../api/billing.js';
import { paths } from '../../paths.js';
import { topUpPaused } from '../../content/pricing.js';
import { Moment } from '../../ui/moment.js';
import { Button } from '../../ui/button.js';
import choice from '../../ui/choice.module.css';
import { credits } from '../../ui/credits.js';
import { Question } from '../../ui/dialog.js';
import { Field, Select } from '../../ui/field.js';
import { foundBy, formText, useForm } from '../../ui/form.js';
import { wholeNumber } from '../../ui/format.js';
import { Notice, Panel } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { checkoutPage } from './checkout.js';
import styles from './purchase.module.css';

/** Polling interval: the worker changes the state without an event of the account. */
const ASKED_EVERY_MS = 4_000;

/**
 * Automatic top-up: the saved card, its settings, and notices to the customer. Absent without card
 * payments.
 */
export function TopUpCard() {
  const { data, error, refetch } = useQuery({
    ...topUpQuery,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.enabled || state.data?.open ? ASKED_EVERY_MS : false),
  });
  useRefresh(topUpKey);
  const returning = useReturn();
  if (data?.available === false) return null;
  return (
    <Panel title="Automatic top-up">
      <p>
        Buys a pack with your saved card when your balance falls below a number of credits. Off until you turn it on.
      </p>
      <ActionFailure error={returning} what="The payment page’s answer could not be read." />
      {data ? (
        <>
          <State topUp={data} />
          <SavedCardRow card={data.card} />
          {data.card && <SettingsForm key={settingsKey(data)} topUp={data} />}
        </>
      ) : error ? (
        <FailureNotice error={error} what="Automatic top-up could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
    </Panel>
  );
}

/**
 * Key of the form: the saved settings without values that change by themselves, as such a change
 * must keep unsaved input.
 */
function settingsKey({ enabled, threshold, pack, perMonthMax, card }: TopUpAnswer): string {
  return [enabled, threshold, pack, perMonthMax, card?.last4].join(' ');
}

/**
 * Handles the return from the payment provider's pages, and cleans the address. Returns a failure.
 */
function useReturn(): Error | null {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const taken = useRef('');
  const { mutate, error } = useMutation({
    mutationFn: async ({ sessionId, topUpId }: { sessionId: string | null; topUpId: string | null }) => {
      if (sessionId !== null) {
        const { card } = await saveCard(sessionId);
        showToast(card ? `Your card ending in ${card.last4} was saved.` : 'No card was saved.');
      }
      if (topUpId === null) return;
      const { status } = await settleTopUp(topUpId);
      showToast(status === 'paid' ? 'Your top-up is paid.' : 'Your top-up is not paid yet.');
    },
    onSettled: () => {
      for (const queryKey of [topUpKey, creditsQuery.queryKey, billingKey, ledgerKey])
        void client.invalidateQueries({ queryKey });
    },
  });
  useEffect(() => {
    const sessionId = search.get('card') === 'saved' ? search.get('session_id') : null;
    const topUpId = search.get('confirmed');
    const key = `${sessionId} ${topUpId}`;
    // Effects may run twice.
    if ((sessionId === null && topUpId === null && !search.has('card')) || taken.current === key) return;
    taken.current = key;
    if (sessionId !== null || topUpId !== null) mutate({ sessionId, topUpId });
    void navigate(paths.dashboardPurchase, { replace: true });
  }, [search, navigate, mutate]);
  return error;
}

const offReasons = {
  declined: 'Your card was declined several times in a row, so automatic top-up was turned off. You were not charged.',
  not_confirmed: 'A payment was not confirmed in time, so automatic top-up was turned off. You were not charged.',
} as const;

/** Notice about the current state, if it is unusual. */
function State({ topUp: { open, retryAt, offReason, enabled, paused } }: { topUp: TopUpAnswer }) {
  if (open?.status === 'action_required') return <Confirmation open={open} />;
  if (open)
    return (
      <Notice kind="info">
        Your card ending in {open.cardLast4} is being charged {open.amount}.
      </Notice>
    );
  if (paused) return <Notice kind="bad">{topUpPaused}</Notice>;
  if (offReason !== null) return <Notice kind="bad">{offReasons[offReason]}</Notice>;
  if (enabled && retryAt !== null)
    return (
      <Notice kind="bad">
        Your card was declined. You were not charged. It is tried again after <Moment at={retryAt} /> if your balance is
        still low.
      </Notice>
    );
  return null;
}

function Confirmation({ open: { id, amount, cardLast4 } }: { open: TopUpView }) {
  const client = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => confirmTopUp(id),
    onSuccess: ({ url }) => {
      if (url !== null) window.location.assign(checkoutPage(url));
      else void client.invalidateQueries({ queryKey: topUpKey });
    },
  });
  return (
    <Notice kind="bad">
      <p>
        Your bank wants you to confirm the payment of {amount} with the card ending in {cardLast4}. You are charged only
        after you have confirmed it.
      </p>
      <p className={styles.button}>
        <Button look="primary" disabled={confirm.isPending} onClick={() => confirm.mutate()}>
          {confirm.isPending ? 'Loading...' : 'Confirm the payment'}
        </Button>
      </p>
      <ActionFailure error={confirm.error} what="The confirmation could not be opened." />
    </Notice>
  );
}

/** The card on file, with buttons to save, replace and remove it. */
function SavedCardRow({ card }: { card: TopUpAnswer['card'] }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const setup = useMutation({
    mutationFn: openCardSetup,
    onSuccess: ({ url }) => window.location.assign(checkoutPage(url)),
  });
  const remove = useMutation({
    mutationFn: removeCard,
    onSuccess: (answer) => {
      client.setQueryData(topUpQuery.queryKey, answer);
      setAsking(false);
      showToast('Your card was removed.');
    },
  });
  const add = card ? 'Replace card' : 'Save a card';
  return (
    <>
      <div className={styles.savedCard}>
        {card && (
          <p>
            <strong className={styles.brand}>{card.brand}</strong> ending in {card.last4}, expires {card.expires}
          </p>
        )}
        <div className={styles.buttons}>
          <Button disabled={setup.isPending} onClick={() => setup.mutate()}>
            {setup.isPending ? 'Loading...' : add}
          </Button>
          {card && <Button onClick={() => setAsking(true)}>Remove card…</Button>}
        </div>
      </div>
      <ActionFailure error={setup.error} what="The payment page could not be opened." />
      {isAsking && (
        <Question
          title="Remove this card?"
          onClose={() => setAsking(false)}
          actions={
            <Button look="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
              {remove.isPending ? 'Loading...' : 'Remove card'}
            </Button>
          }
        >
          <p>Automatic top-up is turned off, and the card is removed at Stripe too.</p>
          <ActionFailure error={remove.error} what="Your card was not removed." />
        </Question>
      )}
    </>
  );
}

const packOptions = packs.map(
  ({ id, title, credits: count, priceCents }) =>
    [id, `${title}: ${credits(count)} for ${dollars(priceCents)}`] as const,
);

function SettingsForm({ topUp }: { topUp: TopUpAnswer }) {
  const client = useQueryClient();
  const [pack, setPack] = useState<PackId>(topUp.pack);
  const { mutateAsync } = useMutation({
    mutationFn: changeTopUp,
    onSuccess: (answer) => {
      client.setQueryData(topUpQuery.queryKey, answer);
      showToast(answer.enabled ? 'Automatic top-up is on.' : 'Automatic top-up is off.');
    },
  });
  const { inputOf, isSending, failure, onSubmit } = useForm({
    read: (form) => {
      const most = packs.find(({ id }) => id === pack)?.credits ?? 1;
      const given = {
        enabled: form.has('enabled'),
        threshold: wholeNumber(formText(form, 'threshold')),
        pack,
        perMonthMax: wholeNumber(formText(form, 'perMonthMax')),
      };
      return foundBy(topUpBody, given, {
        threshold: `A whole number from 1 to ${most.toLocaleString('en-US')}, the credits of the pack.`,
        perMonthMax: `A whole number from 1 to ${limits.topUpsPerMonthMax}.`,
      });
    },
    send: mutateAsync,
  });
  return (
    <form className={`${styles.cardForm} ${styles.settings}`} onSubmit={onSubmit} noValidate>
      <label className={choice.choice}>
        <input type="checkbox" name="enabled" defaultChecked={topUp.enabled} />
        Top up automatically
      </label>
      <div className={styles.choice}>
        <Field
          {...inputOf('threshold')}
          label="When the balance falls below"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={topUp.threshold}
        />
      </div>
      <div className={styles.choice}>
        <Select label="Buy" value={pack} options={packOptions} onChange={setPack} />
      </div>
      <div className={styles.choice}>
        <Field
          {...inputOf('perMonthMax')}
          label="Top-ups per month, at most"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={topUp.perMonthMax}
        />
      </div>
      <p className={styles.note}>
        {topUp.usedThisMonth} of {topUp.perMonthMax} this month (New York). Every attempt is in your billing history.
      </p>
      <Button type="submit" disabled={isSending}>
        {isSending ? 'Loading...' : 'Save top-up'}
      </Button>
      <ActionFailure error={failure} what="Your top-up was not saved." />
    </form>
  );
}
