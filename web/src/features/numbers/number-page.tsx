import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { Link, useParams } from 'react-router';
import { limits } from '#contract/limits.js';
import type { NumberAnswer, NumberTraffic } from '#contract/numbers.js';
import { failureOf } from '../../api/api-failure.js';
import { changeNumber, keepNumber, numberQuery, numbersKey, poolsQuery } from '../../api/numbers.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { ReasonCode } from '../../dashboard/records/reason.js';
import { paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import choice from '../../ui/choice.module.css';
import { credits } from '../../ui/credits.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { Field } from '../../ui/field.js';
import { formText, useForm } from '../../ui/form.js';
import { Moment } from '../../ui/moment.js';
import { Menu } from '../../ui/menu.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import { shownNumber } from '../../ui/phone-numbers.js';
import { Card, Notice, Panel } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { EmptyView, Facts, View } from '../../ui/view.js';
import { HiddenPageMeta } from '../../page-meta.js';
import { Id } from './id.js';
import { labelFault } from './label.js';
import { capabilitiesText, NumberState, renewalOf, typeWords } from './number-state.js';
import { useRentText } from './rent-price.js';
import { RentNotice } from './rent-notice.js';
import { ReleaseQuestion } from './release-question.js';
import styles from './numbers.module.css';

/** One number: its state, traffic, settings and release. */
export default function NumberPage() {
  const { numberId = '' } = useParams();
  const { data: number, error, refetch } = useQuery({ ...numberQuery(numberId), refetchOnMount: 'always' });
  const [isReleasing, setReleasing] = useState(false);
  const works = number?.status === 'active' || number?.status === 'past_due';
  const title = number ? (number.label ?? shownNumber(number.number)) : 'Number';
  return (
    <View
      title={title}
      lead={<Link to={paths.dashboardNumbers}>Back to Numbers</Link>}
      actions={
        number &&
        works && (
          <>
            <ButtonLink look="primary" to={paths.dashboardSend} state={{ from: number.number }}>
              Send from it
            </ButtonLink>
            {number.origin === 'purchase' && (
              <Menu
                label={`More about ${shownNumber(number.number)}`}
                items={[{ title: 'Release…', isDanger: true, onChoose: () => setReleasing(true) }]}
              />
            )}
          </>
        )
      }
    >
      {number ? (
        <Details key={number.number_id} number={number} />
      ) : error && failureOf(error).kind === 'refused' ? (
        <EmptyView title="Number not found." text="Your account has no number with this id.">
          <ButtonLink to={paths.dashboardNumbers}>See your numbers</ButtonLink>
        </EmptyView>
      ) : error ? (
        <FailureNotice error={error} what="The number could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
      <HiddenPageMeta title={title} />
      {isReleasing && <ReleaseQuestion numberId={numberId} onClose={() => setReleasing(false)} />}
    </View>
  );
}

function Details({ number }: { readonly number: NumberAnswer }) {
  const { status, origin, traffic } = number;
  const works = status === 'active' || status === 'past_due';
  return (
    <div className={styles.stack}>
      <StateNotice number={number} />
      <RentNotice numbers={[number]} />
      <div className={styles.columns}>
        <Card>
          <Facts facts={useFacts(number)} />
        </Card>
        {works && <Settings number={number} hasRent={origin === 'purchase'} />}
      </div>
      <Traffic traffic={traffic} />
    </div>
  );
}

/** Notice about the state of a number. */
function StateNotice({ number }: { readonly number: NumberAnswer }) {
  const { status, releases_at: releasesAt, filtered_at: filteredAt, credits_per_month: rent } = number;
  if (status === 'reserving')
    return <Notice kind="info">The carrier has not answered yet. Its credits are held until it has.</Notice>;
  if (status === 'past_due' && releasesAt !== null)
    return (
      <Notice kind="bad">
        Your balance does not cover its rent of {credits(rent ?? 0)}. It works until <Moment at={releasesAt} />, then it
        is released. <Link to={paths.dashboardPurchase}>Purchase credits</Link>
      </Notice>
    );
  if (status === 'releasing' && releasesAt !== null) return <ReleasingNotice number={number} at={releasesAt} />;
  if (filteredAt !== null && status === 'active')
    return (
      <Notice kind="bad">
        Since <Moment at={filteredAt} />, carriers refuse many of its messages for the number itself, so pools leave it
        out. Look at what you send and to whom; then{' '}
        <Link to={`${paths.dashboardNumbers}?tab=pools`}>put it back into its pool</Link>.
      </Notice>
    );
  return null;
}

/** Notice about a release that can be undone. */
function ReleasingNotice({ number, at }: { readonly number: NumberAnswer; readonly at: string }) {
  const client = useQueryClient();
  const keep = useMutation({
    mutationFn: () => keepNumber(number.number_id),
    onSuccess: () => showToast('You keep the number.'),
    onSettled: () => client.invalidateQueries({ queryKey: numbersKey }),
  });
  return (
    <Notice kind="bad">
      <div className={styles.words}>
        <p>
          It is released on <Moment at={at} />. Until then nothing is sent from it; texts to it are stored, not charged
          and not sent to your webhook.
        </p>
        <div className={styles.acts}>
          <Button look="primary" disabled={keep.isPending} onClick={() => keep.mutate()}>
            {keep.isPending ? 'Loading...' : 'Keep it'}
          </Button>
        </div>
        <ActionFailure error={keep.error} what="The number is still to be released." />
      </div>
    </Notice>
  );
}

function useFacts(number: NumberAnswer) {
  const { data } = useQuery(poolsQuery);
  const rentText = useRentText();
  const { type, origin, capabilities, created_at: createdAt, number_id: id, pools } = number;
  const names = pools.map((pool) => data?.pools.find(({ pool_id }) => pool_id === pool)?.name ?? pool);
  return [
    ['Number', <PhoneNumber key="number" number={number.number} />],
    ['State', <NumberState key="state" {...number} />],
    ['Kind', origin === 'operator' || type === null ? 'Given to you by the operator' : typeWords[type]],
    ['Sends', capabilitiesText(capabilities)],
    ['Rent', number.credits_per_month === null ? 'None' : rentText(number.credits_per_month)],
    ...renewalFact(number),
    ['Pools', names.join(', ') || 'None'],
    ['Yours since', <Moment key="created" at={createdAt} />],
    ['Id', <Id key="id" id={id} of={shownNumber(number.number)} />],
  ] as const;
}

function renewalFact(number: NumberAnswer) {
  const renewal = renewalOf(number);
  if (!renewal) return [];
  const { title, at } = renewal;
  const value = (
    <Fragment key="renewal">
      <Moment at={at} />
      {title === 'Ends' && ' and is then released'}
    </Fragment>
  );
  return [[title, value] as const];
}

interface SettingsProps {
  readonly number: NumberAnswer;
  readonly hasRent: boolean;
}

function Settings({ number, hasRent }: SettingsProps) {
  const { number_id: id, label, auto_renew: isRenewed, strangers_per_day: strangers } = number;
  const client = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: (body: Parameters<typeof changeNumber>[1]) => changeNumber(id, body),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: numbersKey });
      showToast('The number is saved.');
    },
  });
  const { inputOf, isSending, failure, onSubmit } = useForm({
    read: (form) => {
      const typed = formText(form, 'label').trim();
      const fault = labelFault(typed);
      if (fault !== undefined) return { faults: { label: fault } };
      if (!hasRent) return { body: { label: typed || null } };
      const perDay = Number(formText(form, 'strangers') || Number.NaN);
      if (!Number.isInteger(perDay) || perDay < 0 || perDay > limits.strangersPerDayMax) {
        const most = limits.strangersPerDayMax.toLocaleString('en-US');
        return { faults: { strangers: `Enter a whole number up to ${most}.` } };
      }
      return {
        body: { label: typed || null, auto_renew: form.has('autoRenew'), strangers_per_day: perDay },
      };
    },
    send: mutateAsync,
  });
  return (
    <Panel title="Settings" onSubmit={onSubmit}>
      <div className={styles.form}>
        <Field
          {...inputOf('label')}
          label="Label"
          hint="Your own name for it."
          dir="auto"
          autoComplete="off"
          defaultValue={label ?? ''}
        />
        {hasRent && (
          <Field
            {...inputOf('strangers')}
            label="Texts of strangers a day"
            hint={
              'Of people whom you have never texted, 1 credit each. Further ones are kept here, not charged and not ' +
              'sent to your webhook. 0 takes none.'
            }
            inputMode="numeric"
            autoComplete="off"
            defaultValue={String(strangers ?? limits.strangersPerDayDefault)}
          />
        )}
        {hasRent && (
          <label className={choice.choice}>
            <input type="checkbox" name="autoRenew" defaultChecked={isRenewed} />
            Renew it every month. Otherwise it is released when the paid month ends.
          </label>
        )}
        <Button type="submit" disabled={isSending}>
          {isSending ? 'Loading...' : 'Save'}
        </Button>
        <ActionFailure error={failure} what="The number was not changed." />
      </div>
    </Panel>
  );
}

type Reason = NumberTraffic['reasons'][number];

const reasonColumns: readonly Column<Reason>[] = [
  { title: 'Reason', phone: 'title', cell: ({ text }) => text },
  { title: 'Code', phone: 'text', cell: ({ code }) => <ReasonCode code={code} /> },
  { title: 'Messages', phone: 'state', isNumber: true, cell: ({ messages }) => messages.toLocaleString('en-US') },
];

/** Figures of messages and replies of the number. */
function Traffic({ traffic }: { readonly traffic: NumberTraffic }) {
  const { sent, delivered, failed, replies, since, reasons } = traffic;
  const ended = delivered + failed;
  const figures = [
    ['Messages', sent.toLocaleString('en-US')],
    ['Delivered', ended === 0 ? 'None yet' : `${Math.round((100 * delivered) / ended)}%`],
    ['Not delivered', failed.toLocaleString('en-US')],
    ['Replies', replies.toLocaleString('en-US')],
  ] as const;
  return (
    <section className={styles.part} aria-labelledby="traffic">
      <div>
        <h2 id="traffic" className={styles.title}>
          Traffic
        </h2>
        <p className={styles.quiet}>
          {since !== null && (
            <>
              Since <Moment at={since} />.
            </>
          )}
        </p>
      </div>
      <div className={styles.figures}>
        {figures.map(([name, figure]) => (
          <Card key={name}>
            <p className={styles.quiet}>{name}</p>
            <p className={styles.figure}>{figure}</p>
          </Card>
        ))}
      </div>
      {reasons.length > 0 && (
        <DataTable label="Why messages failed" columns={reasonColumns} rows={reasons} keyOf={({ code }) => code} />
      )}
    </section>
  );
}
