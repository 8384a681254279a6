import { type SubmitEvent, useId, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import {
  type KeyScope,
  keyScopes,
  type NamedKeyBody,
  type NamedKeysAnswer,
  type NamedKeySecretAnswer,
  type NamedKeyView,
} from '#contract/account.js';
import { limits } from '#contract/limits.js';
import { regions } from '#contract/regions.js';
import { changeNamedKey, createNamedKey } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Field, formText } from '../../ui/field.js';
import { endOfNewYorkDay, newYorkDay, wholeNumberIn } from '../../ui/format.js';
import { Notice } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure } from '../../dashboard/failures/failures.js';
import styles from './key.module.css';

const scopeMeanings: Readonly<Record<KeyScope, string>> = {
  send: 'Send messages.',
  otp: 'Send and verify one-time passwords.',
  read: 'Read messages and the balance.',
  webhooks: 'For calls about webhooks; none needs it yet.',
};

const explained = new Set(['key_settings_invalid', 'key_limit', 'key_not_found']);

interface KeyDialogProps {
  /** The key to change; without it one is created. */
  readonly current?: NamedKeyView;
  readonly onDone: (answer: NamedKeysAnswer | NamedKeySecretAnswer) => void;
  readonly onClose: () => void;
}

type Faults = Readonly<Record<string, string | undefined>>;

/** Name, mode and limits of a key. */
export function KeyDialog({ current, onDone, onClose }: KeyDialogProps) {
  const formId = useId();
  const [faults, setFaults] = useState<Faults>({});
  const save = useMutation<NamedKeysAnswer | NamedKeySecretAnswer, Error, FormData>({
    mutationFn: (form) => {
      const body = bodyOf(form, current);
      return current
        ? changeNamedKey(current.id, body)
        : createNamedKey({ ...body, mode: form.get('mode') === 'test' ? 'test' : 'live' });
    },
    onSuccess: (answer) => {
      onDone(answer);
      if (current) showToast('The key was changed.');
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const found = faultsOf(form);
    setFaults(found);
    if (Object.keys(found).length === 0) save.mutate(form);
  };
  const failure = save.error && failureOf(save.error);
  const label = current ? 'Save' : 'Create key';
  return (
    <Dialog
      title={current ? `Edit “${current.name}”` : 'Create a key'}
      onClose={onClose}
      actions={
        <Button type="submit" form={formId} look="primary" disabled={save.isPending}>
          {save.isPending ? 'Loading...' : label}
        </Button>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit} noValidate>
        <Field
          label="Name"
          name="name"
          autoComplete="off"
          maxLength={limits.keyNameCharactersMax}
          defaultValue={current?.name ?? ''}
          fault={faults['name']}
        />
        {!current && <Mode />}
        <Scopes chosen={current?.scopes ?? ['send', 'read']} fault={faults['scopes']} />
        <div className={styles.numbers}>
          <Limit name="creditsPerDay" label="Credits per day" value={current?.creditsPerDay} faults={faults} />
          <Limit name="creditsPerMonth" label="Credits per month" value={current?.creditsPerMonth} faults={faults} />
          <Limit
            name="messagesPerSecond"
            label="Messages per second"
            value={current?.messagesPerSecond}
            faults={faults}
          />
          <Field label="Last day" name="lastDay" type="date" defaultValue={lastDayOf(current)} />
        </div>
        <Field
          label="Network addresses, such as 203.0.113.0/24"
          name="addresses"
          autoComplete="off"
          defaultValue={current?.addresses.join(', ') ?? ''}
        />
        <Countries chosen={current?.countries ?? []} />
        <p className={styles.text}>An empty field means no limit. Days and months are in New York time.</p>
        {failure?.code !== undefined && explained.has(failure.code) ? (
          <Notice kind="bad" role="alert">
            {failure.message} {failure.detail}
          </Notice>
        ) : (
          <ActionFailure error={save.error} what={current ? 'The key was not changed.' : 'No key was created.'} />
        )}
      </form>
    </Dialog>
  );
}

function Mode() {
  return (
    <fieldset className={styles.choices}>
      <legend>Mode</legend>
      <Choice type="radio" name="mode" value="live" label="Live" words="Messages are sent and charged." isChosen />
      <Choice type="radio" name="mode" value="test" label="Test" words="Requests are checked; nothing is sent." />
    </fieldset>
  );
}

function Scopes({ chosen, fault }: { chosen: readonly KeyScope[]; fault: string | undefined }) {
  return (
    <fieldset className={styles.choices}>
      <legend>May be used to</legend>
      {keyScopes.map((scope) => (
        <Choice
          key={scope}
          type="checkbox"
          name="scopes"
          value={scope}
          label={scope}
          words={scopeMeanings[scope]}
          isChosen={chosen.includes(scope)}
        />
      ))}
      {fault !== undefined && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

/** The countries that messages are sent to, and others that the key has already. */
function Countries({ chosen }: { chosen: readonly string[] }) {
  const offered = regions.filter(({ active, iso2 }) => active || chosen.includes(iso2));
  return (
    <details className={styles.countries} open={chosen.length > 0}>
      <summary>Countries: all, unless you choose some</summary>
      <fieldset className={`${styles.choices} ${styles.columns}`}>
        <legend className="visually-hidden">Countries</legend>
        {offered.map(({ iso2, country }) => (
          <Choice
            key={iso2}
            type="checkbox"
            name="countries"
            value={iso2}
            label={country}
            isChosen={chosen.includes(iso2)}
          />
        ))}
      </fieldset>
    </details>
  );
}

interface ChoiceProps {
  readonly type: 'checkbox' | 'radio';
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly words?: string;
  readonly isChosen?: boolean;
}

function Choice({ type, name, value, label, words, isChosen = false }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles.option}>
      <input
        id={id}
        type={type}
        name={name}
        value={value}
        defaultChecked={isChosen}
        aria-describedby={words === undefined ? undefined : `${id}-words`}
      />
      <label htmlFor={id}>{label}</label>
      {words !== undefined && <p id={`${id}-words`}>{words}</p>}
    </div>
  );
}

const maxima = {
  creditsPerDay: limits.keyCreditsMax,
  creditsPerMonth: limits.keyCreditsMax,
  messagesPerSecond: limits.keyMessagesPerSecondMax,
} as const;
type LimitName = keyof typeof maxima;
const limitNames = ['creditsPerDay', 'creditsPerMonth', 'messagesPerSecond'] as const satisfies LimitName[];

interface LimitProps {
  readonly name: LimitName;
  readonly label: string;
  readonly value: number | null | undefined;
  readonly faults: Faults;
}

function Limit({ name, label, value, faults }: LimitProps) {
  return (
    <Field
      label={label}
      name={name}
      inputMode="numeric"
      autoComplete="off"
      placeholder="No limit"
      defaultValue={value ?? ''}
      fault={faults[name]}
    />
  );
}

function faultsOf(form: FormData): Faults {
  const wrong = limitNames.filter((name) => formText(form, name).trim() !== '' && limitIn(form, name) === null);
  return {
    ...(formText(form, 'name').trim() === '' && { name: 'Enter a name.' }),
    ...(!form.has('scopes') && { scopes: 'Choose at least one.' }),
    ...Object.fromEntries(
      wrong.map((name) => [name, `A whole number from 1 to ${maxima[name].toLocaleString('en-US')}.`]),
    ),
  };
}

function limitIn(form: FormData, name: LimitName): number | null {
  return wholeNumberIn(formText(form, name), 1, maxima[name]) ?? null;
}

function bodyOf(form: FormData, current: NamedKeyView | undefined): NamedKeyBody {
  const chosen = (name: string) => form.getAll(name).map(String);
  const lastDay = formText(form, 'lastDay');
  const isSameDay = current !== undefined && lastDay === lastDayOf(current);
  return {
    name: formText(form, 'name').trim(),
    scopes: keyScopes.filter((scope) => chosen('scopes').includes(scope)),
    addresses: formText(form, 'addresses')
      .split(/[\s,;]+/)
      .filter(Boolean),
    countries: chosen('countries'),
    creditsPerDay: limitIn(form, 'creditsPerDay'),
    creditsPerMonth: limitIn(form, 'creditsPerMonth'),
    messagesPerSecond: limitIn(form, 'messagesPerSecond'),
    expiresAt: isSameDay ? current.expiresAt : lastDay === '' ? null : endOfNewYorkDay(lastDay),
  };
}

/** The last day on which a key works, at least in part, in New York. */
function lastDayOf(key: NamedKeyView | undefined): string {
  return key?.expiresAt ? newYorkDay(new Date(Date.parse(key.expiresAt) - 1)) : '';
}
