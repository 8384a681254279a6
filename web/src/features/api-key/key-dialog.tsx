import { useId } from 'react';
import { useMutation } from '@tanstack/react-query';
import {
  type CreateKeyBody,
  createKeyBody,
  type KeyScope,
  keyScopes,
  type NamedKeysAnswer,
  type NamedKeySecretAnswer,
  type NamedKeyView,
} from '#contract/account.js';
import { limits } from '#contract/limits.js';
import { changeNamedKey, createNamedKey } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Fault, Field } from '../../ui/field.js';
import { foundBy, formText, useForm } from '../../ui/form.js';
import { endOfNewYorkDay, newYorkDay, wholeNumber } from '../../ui/format.js';
import { Notice } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure } from '../../dashboard/failures/failures.js';
import { useRegions } from '../site/use-regions.js';
import choice from '../../ui/choice.module.css';
import styles from './key.module.css';

const scopeMeanings: Readonly<Record<KeyScope, string>> = {
  send: 'Send, quote and cancel messages, also in bulk.',
  otp: 'Send and verify one-time passwords and codes of authenticator apps, and read their state.',
  read: 'Read messages, batches, figures, live events and the balance.',
  webhooks: 'Send test events to your webhook.',
  numbers: 'Buy, change and release numbers, and put them into pools.',
};

const explained = new Set(['key_settings_invalid', 'key_limit', 'key_not_found']);

interface KeyDialogProps {
  /** The key to change; undefined creates a key. */
  readonly current?: NamedKeyView;
  readonly onDone: (answer: NamedKeysAnswer | NamedKeySecretAnswer) => void;
  readonly onClose: () => void;
}

/** Name, mode and limits of a key. */
export function KeyDialog({ current, onDone, onClose }: KeyDialogProps) {
  const formId = useId();
  const { mutateAsync } = useMutation<NamedKeysAnswer | NamedKeySecretAnswer, Error, CreateKeyBody>({
    mutationFn: ({ mode, ...body }) => (current ? changeNamedKey(current.id, body) : createNamedKey({ ...body, mode })),
    onSuccess: (answer) => {
      onDone(answer);
      if (current) showToast('The key was changed.');
    },
  });
  const form = useForm({
    read: (typed) => foundBy(createKeyBody, settingsIn(typed, current), faultTexts),
    send: mutateAsync,
  });
  const { inputOf, isSending } = form;
  const failure = form.failure === null ? undefined : failureOf(form.failure);
  const label = current ? 'Save' : 'Create key';
  return (
    <Dialog
      title={current ? `Edit “${current.name}”` : 'Create a key'}
      onClose={onClose}
      actions={
        <Button type="submit" form={formId} look="primary" disabled={isSending}>
          {isSending ? 'Loading...' : label}
        </Button>
      }
    >
      <form id={formId} className={styles.form} onSubmit={form.onSubmit} noValidate>
        <Field
          {...inputOf('name')}
          label="Name"
          autoComplete="off"
          maxLength={limits.keyNameCharactersMax}
          defaultValue={current?.name ?? ''}
        />
        {!current && <Mode />}
        {current?.plug ? (
          current.scopes.map((scope) => <input key={scope} type="hidden" name="scopes" value={scope} />)
        ) : (
          <Scopes chosen={current?.scopes ?? ['send', 'read']} fault={form.faults.scopes} />
        )}
        <div className={styles.numbers}>
          <Limit {...inputOf('creditsPerDay')} label="Credits per day" value={current?.creditsPerDay} />
          <Limit {...inputOf('creditsPerMonth')} label="Credits per month" value={current?.creditsPerMonth} />
          <Limit {...inputOf('messagesPerSecond')} label="Messages per second" value={current?.messagesPerSecond} />
          <Field label="Last day" name="lastDay" type="date" defaultValue={lastDayOf(current)} />
        </div>
        <Field
          {...inputOf('addresses')}
          label="Network addresses, such as 203.0.113.0/24"
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
          <ActionFailure error={form.failure} what={current ? 'The key was not changed.' : 'No key was created.'} />
        )}
      </form>
    </Dialog>
  );
}

function Mode() {
  return (
    <fieldset className={choice.choices}>
      <legend>Mode</legend>
      <Choice type="radio" name="mode" value="live" label="Live" words="Messages are sent and charged." isChosen />
      <Choice type="radio" name="mode" value="test" label="Test" words="Requests are checked; nothing is sent." />
    </fieldset>
  );
}

function Scopes({ chosen, fault }: { chosen: readonly KeyScope[]; fault: string | undefined }) {
  return (
    <fieldset className={choice.choices}>
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
      {fault !== undefined && <Fault role="alert">{fault}</Fault>}
    </fieldset>
  );
}

/** Countries that messages are sent to, and the key's other countries. */
function Countries({ chosen }: { chosen: readonly string[] }) {
  const offered = useRegions().filter(({ active, iso2 }) => active || chosen.includes(iso2));
  return (
    <details className={styles.countries} open={chosen.length > 0}>
      <summary>Countries: all, unless you choose some</summary>
      <fieldset className={`${choice.choices} ${styles.columns}`}>
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
    <div className={choice.choice}>
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

interface LimitProps {
  readonly name: string;
  readonly fault: string | undefined;
  readonly label: string;
  readonly value: number | null | undefined;
}

function Limit({ value, ...input }: LimitProps) {
  return <Field {...input} inputMode="numeric" autoComplete="off" placeholder="No limit" defaultValue={value ?? ''} />;
}

const upTo = (max: number) => `A whole number from 1 to ${max.toLocaleString('en-US')}.`;

const faultTexts = {
  name: 'Enter a name.',
  scopes: 'Choose at least one.',
  creditsPerDay: upTo(limits.keyCreditsMax),
  creditsPerMonth: upTo(limits.keyCreditsMax),
  messagesPerSecond: upTo(limits.keyMessagesPerSecondMax),
  addresses: `Up to ${limits.keyAddressesMax} network addresses.`,
};

/** Reads the key's settings from the dialog; an empty field is no limit. */
function settingsIn(form: FormData, current: NamedKeyView | undefined) {
  const limitIn = (name: string) => (formText(form, name).trim() === '' ? null : wholeNumber(formText(form, name)));
  const lastDay = formText(form, 'lastDay');
  const isSameDay = current !== undefined && lastDay === lastDayOf(current);
  return {
    name: formText(form, 'name'),
    mode: current?.mode ?? form.get('mode'),
    scopes: form.getAll('scopes'),
    addresses: formText(form, 'addresses')
      .split(/[\s,;]+/)
      .filter(Boolean),
    countries: form.getAll('countries'),
    creditsPerDay: limitIn('creditsPerDay'),
    creditsPerMonth: limitIn('creditsPerMonth'),
    messagesPerSecond: limitIn('messagesPerSecond'),
    expiresAt: isSameDay ? current.expiresAt : lastDay === '' ? null : endOfNewYorkDay(lastDay),
  };
}

/** The last day on which a key works, at least in part, in New York. */
function lastDayOf(key: NamedKeyView | undefined): string {
  return key?.expiresAt ? newYorkDay(new Date(Date.parse(key.expiresAt) - 1)) : '';
}
