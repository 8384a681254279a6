import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { limits } from '#contract/limits.js';
import { type AvailableNumberView, type NumberBoughtAnswer, numberTakenAnswer } from '#contract/numbers.js';
import { creditsQuery } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { billingQuery } from '../../api/billing.js';
import { availableNumbersQuery, buyNumber, forgetFound, numbersKey, poolsQuery, putPool } from '../../api/numbers.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { numberPath, paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import choice from '../../ui/choice.module.css';
import { credits } from '../../ui/credits.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { Question } from '../../ui/dialog.js';
import { Field, Select } from '../../ui/field.js';
import { SearchField } from '../../ui/filter-fields.js';
import { Menu } from '../../ui/menu.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import { shownNumber } from '../../ui/phone-numbers.js';
import { Notice } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { EmptyView } from '../../ui/view.js';
import { newIdempotencyKey } from '../composer/attempts.js';
import { labelFault } from './label.js';
import { areaCodeFault, containsFault, plainSearch } from './number-search.js';
import { capabilitiesText } from './number-state.js';
import { useRentText } from './rent-price.js';
import { ReleaseQuestion } from './release-question.js';
import styles from './numbers.module.css';

const countries = [
  ['US', 'United States'],
  ['CA', 'Canada'],
] as const;
const types = [
  ['local', 'Local'],
  ['toll_free', 'Toll-free'],
] as const;

type Search = {
  readonly country: (typeof countries)[number][0];
  readonly type: (typeof types)[number][0];
  readonly area_code: string;
  readonly contains: string;
};

/** Maximum of typed characters: digits between spaces, hyphens and brackets. */
const TYPED_MAX = 20;

/** The search that the address names. */
function useSearch() {
  const [address, setAddress] = useSearchParams();
  const named = <Value extends string>(name: string, choices: readonly (readonly [Value, string])[], usual: Value) =>
    choices.find(([value]) => value === address.get(name))?.[0] ?? usual;
  const search: Search = {
    country: named('country', countries, 'US'),
    type: named('type', types, 'local'),
    area_code: address.get('area_code') ?? '',
    contains: address.get('contains') ?? '',
  };
  const change = (part: Partial<Search>) => {
    const { country, type, ...texts } = { ...search, ...part };
    const parts = { ...(country !== 'US' && { country }), ...(type !== 'local' && { type }), ...texts };
    setAddress(
      { tab: 'buy', ...Object.fromEntries(Object.entries(parts).filter(([, text]) => text !== '')) },
      {
        replace: true,
        preventScrollReset: true,
      },
    );
  };
  return { search, change };
}

/** Searches numbers for sale, and buys a number. */
export function BuyNumbers() {
  const { search, change } = useSearch();
  const [chosen, setChosen] = useState<AvailableNumberView>();
  const [bought, setBought] = useState<NumberBoughtAnswer>();
  const faults = {
    areaCode: areaCodeFault(search.area_code, search.type),
    contains: containsFault(search.contains),
  };
  return (
    <div className={styles.stack}>
      {bought ? (
        // Scrolls to the notice, as the number may have been far down the list.
        <div key={bought.number_id} ref={inSight}>
          <Bought bought={bought} onReleased={() => setBought(undefined)} />
        </div>
      ) : (
        <Precondition />
      )}
      <search className={styles.fields} aria-label="Numbers">
        <Select
          label="Country"
          value={search.country}
          options={countries}
          onChange={(country) => change({ country })}
        />
        <Select label="Kind" value={search.type} options={types} onChange={(type) => change({ type })} />
        <SearchField
          label="Area code"
          inputMode="numeric"
          maxLength={TYPED_MAX}
          placeholder="212"
          value={search.area_code}
          fault={faults.areaCode}
          onChange={(text) => change({ area_code: plainSearch(text) })}
        />
        <SearchField
          label="Contains"
          maxLength={TYPED_MAX}
          placeholder="555, or SHOP"
          value={search.contains}
          fault={faults.contains}
          onChange={(text) => change({ contains: plainSearch(text) })}
        />
      </search>
      <Found
        search={search}
        isFaulty={faults.areaCode !== undefined || faults.contains !== undefined}
        onChoose={setChosen}
        onClear={() => change({ area_code: '', contains: '' })}
      />
      {chosen && (
        <BuyQuestion
          key={chosen.number}
          number={chosen}
          onInstead={setChosen}
          onBought={(answer) => {
            setBought(answer);
            setChosen(undefined);
          }}
          onClose={() => setChosen(undefined)}
        />
      )}
    </div>
  );
}

/** Tells an account without a payment to purchase credits first. */
function Precondition() {
  const { data: payments } = useQuery(billingQuery(1));
  if (payments?.records.length !== 0) return null;
  return (
    <Notice kind="info">
      Your first number needs a purchase of credits. <Link to={paths.dashboardPurchase}>Purchase credits</Link>
    </Notice>
  );
}

interface FoundProps {
  readonly search: Search;
  /** The search is invalid; earlier results are shown dimmed. */
  readonly isFaulty: boolean;
  readonly onChoose: (number: AvailableNumberView) => void;
  readonly onClear: () => void;
}

function Found({ search, isFaulty, onChoose, onClear }: FoundProps) {
  const { country, type, area_code, contains } = search;
  const filter = { country, type, area_code: area_code || undefined, contains: contains || undefined };
  const rentText = useRentText();
  const query = useQuery({ ...availableNumbersQuery(filter), enabled: !isFaulty });
  const { data, error, refetch, isPlaceholderData } = query;
  if (isFaulty && !data) return null;
  if (error)
    return <FailureNotice error={error} what="Numbers could not be searched." onRetry={() => void refetch()} />;
  if (data?.numbers.length === 0 && !isPlaceholderData)
    return (
      <EmptyView title="No such number is for sale." text="Try another area code, or fewer digits.">
        {(area_code !== '' || contains !== '') && <Button onClick={onClear}>Clear filters</Button>}
      </EmptyView>
    );
  return (
    <DataTable
      label="Numbers for sale"
      columns={[...columnsWith(rentText), buyColumn(onChoose)]}
      rows={data?.numbers}
      keyOf={({ number }) => number}
      isBusy={!data || isPlaceholderData}
      placesKept={limits.numbersAvailableDefault}
    />
  );
}

function columnsWith(rentText: (rent: number) => string): readonly Column<AvailableNumberView>[] {
  return [
    { title: 'Number', phone: 'title', cell: ({ number }) => <PhoneNumber number={number} /> },
    { title: 'From', phone: 'text', cell: ({ locality }) => locality ?? 'Toll-free' },
    { title: 'Sends', phone: 'time', cell: ({ capabilities }) => capabilitiesText(capabilities) },
    {
      title: 'Price',
      phone: 'more',
      isNumber: true,
      cell: ({ credits_per_month: rent, setup_credits: setup }) =>
        `${rentText(rent)}${setup > 0 ? `, ${credits(setup)} once` : ''}`,
    },
  ];
}

function buyColumn(onChoose: FoundProps['onChoose']): Column<AvailableNumberView> {
  return {
    title: 'Buy',
    phone: 'state',
    cell: (number) => (
      <Button aria-label={`Buy ${shownNumber(number.number)}`} data-open onClick={() => onChoose(number)}>
        Buy
      </Button>
    ),
  };
}

interface BuyQuestionProps {
  readonly number: AvailableNumberView;
  /** Called with a similar number to buy in place of `number`. */
  readonly onInstead: (number: AvailableNumberView) => void;
  readonly onBought: (answer: NumberBoughtAnswer) => void;
  readonly onClose: () => void;
}

/** Asks before a number is bought, and buys it. */
export function BuyQuestion({ number: forSale, onInstead, onBought, onClose }: BuyQuestionProps) {
  const client = useQueryClient();
  const { data: money } = useQuery(creditsQuery);
  const rentText = useRentText();
  const [label, setLabel] = useState('');
  const [isRenewed, setRenewed] = useState(true);
  // A retry after a lost answer has the same key, so that it buys once.
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const { number, credits_per_month: rent, setup_credits: setup } = forSale;
  const price = rent + setup;
  const fault = labelFault(label);
  const button = useRef<HTMLButtonElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    // A single keypress must not spend credits, so Enter only moves the focus.
    button.current?.focus();
  };
  const buy = useMutation({
    mutationFn: () => buyNumber({ number, label: label.trim() || null, auto_renew: isRenewed, idempotencyKey }),
    onSuccess: (answer) => {
      forgetFound(client, number);
      void client.invalidateQueries({ queryKey: numbersKey });
      void client.invalidateQueries({ queryKey: creditsQuery.queryKey });
      onBought(answer);
    },
    onError: (cause) => {
      const { code, kind } = failureOf(cause);
      if (code === 'number_taken') forgetFound(client, number);
      if (code === 'insufficient_credits') void client.invalidateQueries({ queryKey: creditsQuery.queryKey });
      // A new attempt after a refusal is a new purchase.
      if (kind === 'refused') setIdempotencyKey(newIdempotencyKey());
    },
  });
  return (
    <Question
      title={`Buy ${shownNumber(number)}?`}
      onClose={onClose}
      actions={
        <Button
          ref={button}
          look="primary"
          disabled={buy.isPending || fault !== undefined}
          onClick={() => buy.mutate()}
        >
          {buy.isPending ? 'Loading...' : `Buy for ${credits(price)}`}
        </Button>
      }
    >
      <div className={styles.words}>
        <p>
          {credits(price)} now{setup > 0 && ` (${credits(setup)} of them once)`}, then {rentText(rent)}.
          {money && ` You have ${credits(money.balance)}.`}
        </p>
        <p>
          Texts to it cost 1 credit each: replies, and up to {limits.strangersPerDayDefault} a day of people whom you
          have never texted. You can change that on its page.
        </p>
        <Field
          label="Label"
          hint="Your own name for it. You can leave it out."
          dir="auto"
          autoComplete="off"
          value={label}
          fault={fault}
          onChange={({ target }) => setLabel(target.value)}
          onKeyDown={onKeyDown}
        />
        <label className={choice.choice}>
          <input type="checkbox" checked={isRenewed} onChange={({ target }) => setRenewed(target.checked)} />
          Renew it every month. Otherwise it is released when the first month ends.
        </label>
        <BuyFailure error={buy.error} price={price} onInstead={onInstead} />
      </div>
    </Question>
  );
}

interface BuyFailureProps extends Pick<BuyQuestionProps, 'onInstead'> {
  readonly error: unknown;
  readonly price: number;
}

/** Explains why the number was not bought, and offers similar numbers. */
function BuyFailure({ error, price, onInstead }: BuyFailureProps) {
  const { data: money } = useQuery(creditsQuery);
  if (error === null) return null;
  const { code, message, detail = message, kind, cause } = failureOf(error);
  const similar = numberTakenAnswer.safeParse(cause).data?.similar ?? [];
  const has = money && `, and you have ${(money.balance - money.frozen).toLocaleString('en-US')}`;
  const text =
    kind === 'connection'
      ? `${message} Whether you have it is not known. Try again: you buy it once.`
      : code === 'insufficient_credits'
        ? `You do not have enough credits. This number costs ${credits(price)} now${has ?? ''}. You were not charged.`
        : // Similar numbers are buttons here.
          code === 'number_taken'
          ? `${message} You were not charged.`
          : detail;
  return (
    <Notice kind="bad" role="alert">
      <div className={styles.words}>
        <p>{text}</p>
        {(code === 'insufficient_credits' || code === 'number_needs_purchase') && (
          <p>
            <Link to={paths.dashboardPurchase}>Purchase credits</Link>
          </p>
        )}
        {similar.length > 0 && (
          <div className={styles.acts}>
            {similar.map((one) => (
              <Button key={one.number} onClick={() => onInstead(one)}>
                {shownNumber(one.number)}
              </Button>
            ))}
          </div>
        )}
      </div>
    </Notice>
  );
}

interface BoughtProps {
  readonly bought: NumberBoughtAnswer;
  readonly onReleased: () => void;
}

function inSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'center' });
}

/** The bought number, and the next steps with it. */
function Bought({ bought, onReleased }: BoughtProps) {
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const { number, number_id: id, credits: price, status } = bought;
  return (
    <Notice kind="good" role="status">
      <div className={styles.words}>
        <p>
          {status === 'active' ? (
            <>
              <PhoneNumber number={number} /> is yours. It cost {credits(price)}.
            </>
          ) : (
            <>
              <PhoneNumber number={number} /> is being bought. {credits(price)} are held until the carrier has answered.
            </>
          )}
        </p>
        <div className={styles.acts}>
          {status === 'active' ? (
            <>
              <ButtonLink look="primary" to={paths.dashboardSend} state={{ from: number }}>
                Send from it
              </ButtonLink>
              <UseForAll numberId={id} />
              <Menu
                label={`More about ${shownNumber(number)}`}
                items={[
                  { title: 'Open', onChoose: () => void navigate(numberPath(id)) },
                  { title: 'Release…', isDanger: true, onChoose: () => setAsked(true) },
                ]}
              />
            </>
          ) : (
            <ButtonLink to={numberPath(id)}>Open</ButtonLink>
          )}
        </div>
      </div>
      {isAsked && <ReleaseQuestion numberId={id} onReleased={onReleased} onClose={() => setAsked(false)} />}
    </Notice>
  );
}

/** Name of the pool that is created for numbers which all messages use. */
const FIRST_POOL = 'Numbers';

/** Adds a number to the default pool, for messages without a sender; creates a missing pool. */
function UseForAll({ numberId }: { readonly numberId: string }) {
  const client = useQueryClient();
  const { data } = useQuery(poolsQuery);
  const pool = data?.pools.find(({ default: isDefault }) => isDefault);
  // The request replaces the numbers of a pool with this name, so it repeats them.
  const into = pool ?? data?.pools.find(({ name }) => name === FIRST_POOL);
  const members = into?.numbers.map(({ number_id: id }) => id) ?? [];
  const put = useMutation({
    mutationFn: () => putPool({ name: into?.name ?? FIRST_POOL, numbers: [...members, numberId], default: true }),
    onSuccess: ({ name }) => {
      void client.invalidateQueries({ queryKey: numbersKey });
      showToast(`It is in your default pool “${name}” now.`);
    },
  });
  if (!data || (pool && members.includes(numberId))) return null;
  // The owner decides whether a filtered number goes into its pool again.
  if (into?.numbers.some(({ filtered_at: filteredAt }) => filteredAt !== null)) return null;
  return (
    <>
      <Button disabled={put.isPending} onClick={() => put.mutate()}>
        {put.isPending ? 'Loading...' : 'Use it for all messages'}
      </Button>
      <ActionFailure error={put.error} what="The number was not put into the pool." />
    </>
  );
}
