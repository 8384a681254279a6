import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { limits } from '#contract/limits.js';
import {
  availableNumbersFilter,
  type AvailableNumberView,
  type NumberBoughtAnswer,
  numberTakenAnswer,
} from '#contract/numbers.js';
import { creditsQuery } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { availableNumbersQuery, buyNumber, forgetFound, numbersKey } from '../../api/numbers.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { numberPath, paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import choice from '../../ui/choice.module.css';
import { credits } from '../../ui/credits.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { Question } from '../../ui/dialog.js';
import { Field, Select } from '../../ui/field.js';
import { SearchField } from '../../ui/filter-fields.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import { Notice } from '../../ui/surface.js';
import { EmptyView } from '../../ui/view.js';
import { newIdempotencyKey } from '../composer/outgoing-message.js';
import { capabilitiesText } from './number-state.js';
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
const noSearch = { country: 'US', type: 'local', area_code: '', contains: '' } as const;

type Search = {
  readonly country: (typeof countries)[number][0];
  readonly type: (typeof types)[number][0];
  readonly area_code: string;
  readonly contains: string;
};

const { area_code: areaCodeShape, contains: containsShape } = availableNumbersFilter.shape;

/** Searches numbers that can be bought, and buys one; a purchase can be undone at once. */
export function BuyNumbers() {
  const [search, setSearch] = useState<Search>(noSearch);
  const [chosen, setChosen] = useState<AvailableNumberView>();
  const [bought, setBought] = useState<NumberBoughtAnswer>();
  const change = (part: Partial<Search>) => setSearch((before) => ({ ...before, ...part }));
  return (
    <div className={styles.stack}>
      {bought && <Bought bought={bought} onUndone={() => setBought(undefined)} />}
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
          maxLength={3}
          placeholder="212"
          value={search.area_code}
          faultOf={(text) => (areaCodeShape.safeParse(text).success ? undefined : 'Three digits, such as 212.')}
          onChange={(text) => change({ area_code: text })}
        />
        <SearchField
          label="Contains"
          maxLength={10}
          placeholder="555, or SHOP"
          value={search.contains}
          faultOf={(text) =>
            containsShape.safeParse(text).success ? undefined : 'At least two digits or letters; * is any digit.'
          }
          onChange={(text) => change({ contains: text })}
        />
      </search>
      <Found search={search} onChoose={setChosen} onWider={() => change({ area_code: '', contains: '' })} />
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

interface FoundProps {
  readonly search: Search;
  readonly onChoose: (number: AvailableNumberView) => void;
  readonly onWider: () => void;
}

function Found({ search, onChoose, onWider }: FoundProps) {
  const { country, type, area_code, contains } = search;
  const filter = { country, type, area_code: area_code || undefined, contains: contains || undefined };
  const { data, error, refetch, isPlaceholderData } = useQuery(availableNumbersQuery(filter));
  if (error)
    return <FailureNotice error={error} what="Numbers could not be searched." onRetry={() => void refetch()} />;
  if (data?.numbers.length === 0 && !isPlaceholderData)
    return (
      <EmptyView title="No such number is for sale." text="Try another area code, or fewer digits.">
        {(area_code !== '' || contains !== '') && <Button onClick={onWider}>Search all of them</Button>}
      </EmptyView>
    );
  return (
    <DataTable
      label="Numbers for sale"
      columns={[...columns, buyColumn(onChoose)]}
      rows={data?.numbers}
      keyOf={({ number }) => number}
      isBusy={!data || isPlaceholderData}
      placesKept={limits.numbersAvailableDefault}
    />
  );
}

const columns: readonly Column<AvailableNumberView>[] = [
  { title: 'Number', phone: 'title', cell: ({ number }) => <PhoneNumber number={number} /> },
  { title: 'From', phone: 'text', cell: ({ locality }) => locality ?? 'Toll-free' },
  { title: 'Can do', phone: 'time', cell: ({ capabilities }) => capabilitiesText(capabilities) },
  { title: 'Price', phone: 'more', isNumber: true, cell: (number) => priceText(number) },
];

function priceText({ credits_per_month: rent, setup_credits: setup }: AvailableNumberView): string {
  return `${credits(rent)} a month${setup > 0 ? `, ${credits(setup)} once` : ''}`;
}

function buyColumn(onChoose: FoundProps['onChoose']): Column<AvailableNumberView> {
  return {
    title: 'Buy',
    phone: 'state',
    cell: (number) => (
      <Button aria-label={`Buy ${number.number}`} data-open onClick={() => onChoose(number)}>
        Buy
      </Button>
    ),
  };
}

interface BuyQuestionProps {
  readonly number: AvailableNumberView;
  /** Chooses a similar number in its place. */
  readonly onInstead: (number: AvailableNumberView) => void;
  readonly onBought: (answer: NumberBoughtAnswer) => void;
  readonly onClose: () => void;
}

function BuyQuestion({ number: forSale, onInstead, onBought, onClose }: BuyQuestionProps) {
  const client = useQueryClient();
  const { data: money } = useQuery(creditsQuery);
  const [label, setLabel] = useState('');
  const [isRenewed, setRenewed] = useState(true);
  // A lost answer is asked for again, and buys once.
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const { number, credits_per_month: rent, setup_credits: setup } = forSale;
  const price = rent + setup;
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
      // A new attempt after a refusal is a new purchase.
      if (kind === 'refused') setIdempotencyKey(newIdempotencyKey());
    },
  });
  return (
    <Question
      title={`Buy ${number}?`}
      onClose={onClose}
      actions={
        <Button look="primary" disabled={buy.isPending} onClick={() => buy.mutate()}>
          {buy.isPending ? 'Loading...' : `Buy for ${credits(price)}`}
        </Button>
      }
    >
      <div className={styles.words}>
        <p>
          {credits(price)} now{setup > 0 && ` (${credits(setup)} of them once)`}, then {credits(rent)} a month.
          {money && ` You have ${credits(money.balance)}.`}
        </p>
        <Field
          label="Label"
          hint="Your own name for it. You can leave it out."
          dir="auto"
          autoComplete="off"
          maxLength={limits.numberLabelCharactersMax}
          value={label}
          onChange={({ target }) => setLabel(target.value)}
        />
        <label className={choice.choice}>
          <input type="checkbox" checked={isRenewed} onChange={({ target }) => setRenewed(target.checked)} />
          Renew it every month. Otherwise it is released when the first month ends.
        </label>
        <BuyFailure error={buy.error} onInstead={onInstead} />
      </div>
    </Question>
  );
}

/** Why the number was not bought, and what can be bought instead. */
function BuyFailure({ error, onInstead }: { error: unknown } & Pick<BuyQuestionProps, 'onInstead'>) {
  if (error === null) return null;
  const { code, message, detail, kind, cause } = failureOf(error);
  const similar = numberTakenAnswer.safeParse(cause).data?.similar ?? [];
  return (
    <Notice kind="bad" role="alert">
      <div className={styles.words}>
        <p>
          {message} {kind === 'connection' ? 'Whether you have it is not known. Try again: you buy it once.' : detail}
        </p>
        {(code === 'insufficient_credits' || code === 'number_needs_purchase') && (
          <p>
            <Link to={paths.dashboardPurchase}>Purchase credits</Link>
          </p>
        )}
        {similar.length > 0 && (
          <div className={styles.acts}>
            {similar.map((one) => (
              <Button key={one.number} onClick={() => onInstead(one)}>
                {one.number}
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
  readonly onUndone: () => void;
}

/** What was bought, and how to undo it. */
function Bought({ bought, onUndone }: BoughtProps) {
  const [isAsked, setAsked] = useState(false);
  const { number, number_id: id, credits: price, status } = bought;
  return (
    <Notice kind="good" role="status">
      <div className={styles.bought}>
        <span>
          {status === 'active' ? (
            <>
              <PhoneNumber number={number} /> is yours. It cost {credits(price)}.
            </>
          ) : (
            <>
              <PhoneNumber number={number} /> is being bought. {credits(price)} are held until the carrier has answered.
            </>
          )}
        </span>
        <ButtonLink to={numberPath(id)}>Open</ButtonLink>
        {status === 'active' && <Button onClick={() => setAsked(true)}>Undo</Button>}
      </div>
      {isAsked && <ReleaseQuestion numberId={id} isUndo onReleased={onUndone} onClose={() => setAsked(false)} />}
    </Notice>
  );
}
