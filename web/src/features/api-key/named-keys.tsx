import { type RefObject, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NamedKeysAnswer, NamedKeySecretAnswer, NamedKeyView } from '#contract/account.js';
import { limits } from '#contract/limits.js';
import { endOldSecrets, namedKeysQuery, revokeNamedKey, rotateNamedKey } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { shownProducts } from '../../content/plug-products.js';
import { paths } from '../../paths.js';
import { Button, CopyButton } from '../../ui/button.js';
import { Question } from '../../ui/dialog.js';
import { newYorkMoment } from '../../ui/format.js';
import { Menu } from '../../ui/menu.js';
import { Moment } from '../../ui/moment.js';
import { Notice } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { KeyDialog } from './key-dialog.js';
import choice from '../../ui/choice.module.css';
import entries from '../../ui/entries.module.css';
import styles from './key.module.css';
import { canceledText, ScheduledChoice } from './scheduled-choice.js';

const actionKinds = ['edit', 'rotate', 'end-old', 'revoke'] as const;

interface Action {
  readonly kind: (typeof actionKinds)[number];
  readonly key: NamedKeyView;
  /** Index in the list. */
  readonly place: number;
}

/** The popup that the address opens, so that a sign-in on the way leads back to it. */
function actionIn(search: URLSearchParams, keys: readonly NamedKeyView[] = []): Action | undefined {
  const kind = actionKinds.find((name) => search.has(name));
  const place = kind ? keys.findIndex(({ id }) => id === search.get(kind)) : -1;
  const key = keys[place];
  return kind && key && { kind, key, place };
}

/** Keys with limits of their own. A new secret stays on the page until the user has copied it. */
export function NamedKeys({ createButton }: { createButton: RefObject<HTMLButtonElement | null> }) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({ ...namedKeysQuery, refetchOnMount: 'always' });
  const [search, setSearch] = useSearchParams();
  // The page's button and other views open the form by the address.
  const isAsked = search.has('create');
  const action = actionIn(search, data?.keys);
  const replaceSearch = (next: Record<string, string>) => setSearch(next, { replace: true, preventScrollReset: true });

  const [secret, setSecret] = useState<string>();
  // A key can be revoked while its new secret is shown.
  const isInUse = data?.keys.some(({ masked }) => secret?.endsWith(masked.slice(-4)));
  const list = useRef<HTMLUListElement>(null);
  /** The revoked key: its row may still exist when the dialog asks for the next focus. */
  const revoked = useRef<string>(undefined);
  /** The menu of the key that takes a revoked key's place, or of the last key. */
  const menuAt = (place: number) => {
    const rows = [...(list.current?.children ?? [])].filter(({ id }) => id !== revoked.current);
    const menus = rows.map((row) => row.querySelector<HTMLElement>('button[aria-haspopup=menu]'));
    return menus[Math.min(place, menus.length - 1)] ?? createButton.current;
  };
  const close = () => {
    replaceSearch({});
  };
  const opened = search.toString();
  const latest = useRef(opened);
  useEffect(() => {
    latest.current = opened;
  });
  /** Leaves a dialog open that was opened before a late answer. */
  const done = (answer: NamedKeysAnswer | NamedKeySecretAnswer) => {
    client.setQueryData(namedKeysQuery.queryKey, { keys: answer.keys });
    if (action?.kind === 'revoke') revoked.current = action.key.id;
    if ('secret' in answer) setSecret(answer.secret);
    if (latest.current === opened) close();
  };
  return (
    <section className={styles.named} aria-labelledby="named-keys">
      <div>
        <h2 id="named-keys" className={styles.rotateTitle}>
          Named keys
        </h2>
        <p className={styles.rotateText}>
          Give each program a key of its own: for some calls only, with a budget, from your network. A key that leaks
          can then do little, and you revoke it without touching the others. Up to {limits.namedKeysMax}.{' '}
          <Link to={paths.keys}>Named keys and budgets</Link>
        </p>
      </div>
      {secret !== undefined && isInUse && <NewSecret secret={secret} onDone={() => setSecret(undefined)} />}
      {data ? (
        <KeyList list={list} keys={data.keys} onAction={(kind, key) => replaceSearch({ [kind]: key.id })} />
      ) : error ? (
        <FailureNotice error={error} what="Your keys could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
      {isAsked && <KeyDialog onDone={done} onClose={close} />}
      {action?.kind === 'edit' && <KeyDialog current={action.key} onDone={done} onClose={close} />}
      {action && action.kind !== 'edit' && (
        <Confirm
          kind={action.kind}
          current={action.key}
          focusAfter={() => menuAt(action.place)}
          onDone={done}
          onClose={close}
        />
      )}
    </section>
  );
}

function NewSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <Notice kind="good" role="status">
      <div className={styles.words}>
        <p>Copy your key now. We store only a hash of it, so it cannot be shown again.</p>
        <div className={entries.secret} role="group" aria-label="New key">
          <code>{secret}</code>
          <CopyButton text={secret} label="Copy new key" done="Key copied to clipboard!" look="plain" />
          <Button onClick={onDone}>Hide</Button>
        </div>
      </div>
    </Notice>
  );
}

interface KeyListProps {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly keys: readonly NamedKeyView[];
  readonly onAction: (kind: Action['kind'], key: NamedKeyView) => void;
}

function KeyList({ list, keys, onAction }: KeyListProps) {
  if (keys.length === 0) return <p>None yet. Your main key above has no limits.</p>;
  return (
    <ul ref={list} className={entries.list}>
      {keys.map((key) => (
        <li key={key.id} id={key.id} className={entries.entry}>
          <div className={entries.about}>
            <p>
              <strong dir="auto">{key.name}</strong>{' '}
              <span className={entries.badge}>{key.isExpired ? 'Expired' : key.mode === 'live' ? 'Live' : 'Test'}</span>
            </p>
            {key.plug && (
              <p className={entries.fact}>
                Sends the calls of {shownProducts[key.plug].name}. <Link to={paths.dashboardConnect}>Connect</Link>
              </p>
            )}
            {key.forSamples && <p className={entries.fact}>Made by the docs, sends nothing.</p>}
            <p>
              <code>{key.masked}</code>
            </p>
            <p className={entries.fact}>{limitsOf(key).join(' · ')}</p>
            <p className={entries.fact}>
              {key.lastUsedAt ? (
                <>
                  Last used <Moment at={key.lastUsedAt} /> from {key.lastUsedAddress ?? 'an unknown address'}
                </>
              ) : (
                'Never used'
              )}
            </p>
            {key.earlier.map(({ masked, lastUsedAt, expiresAt }) => (
              <p key={masked + expiresAt} className={entries.fact}>
                Old secret {masked} works until <Moment at={expiresAt} />.{' '}
                {lastUsedAt ? `Last used ${newYorkMoment(lastUsedAt)}.` : 'Never used.'}
              </p>
            ))}
          </div>
          <Menu label={`Actions for ${key.name}`} items={actionsOf(key, (kind) => onAction(kind, key))} />
        </li>
      ))}
    </ul>
  );
}

/**
 * Actions of a key. The documentation makes the key of the samples: it can only be revoked. The page Connect changes
 * the secret of a plug.
 */
function actionsOf(key: NamedKeyView, onAction: (kind: Action['kind']) => void) {
  const edit = { title: 'Edit…', onChoose: () => onAction('edit') };
  const rotate = { title: 'New secret…', onChoose: () => onAction('rotate') };
  const endOld = { title: 'End old secrets…', onChoose: () => onAction('end-old'), isDanger: true };
  return [
    ...(key.forSamples ? [] : [edit]),
    ...(key.forSamples || key.plug ? [] : [rotate]),
    ...(key.earlier.length === 0 || key.plug ? [] : [endOld]),
    { title: 'Revoke…', onChoose: () => onAction('revoke'), isDanger: true },
  ];
}

/** Permissions and limits of a key, in words. */
function limitsOf(key: NamedKeyView): string[] {
  const { scopes, addresses, countries, creditsPerDay, creditsPerMonth, messagesPerSecond, expiresAt } = key;
  const some = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
  const budget = (spent: number, of: number, time: string) =>
    `${spent.toLocaleString('en-US')} of ${of.toLocaleString('en-US')} credits spent ${time}`;
  return [
    scopes.join(', '),
    ...(creditsPerDay === null ? [] : [budget(key.spentToday, creditsPerDay, 'today')]),
    ...(creditsPerMonth === null ? [] : [budget(key.spentThisMonth, creditsPerMonth, 'this month')]),
    ...(messagesPerSecond === null ? [] : [`${some(messagesPerSecond, 'message', 'messages')} per second`]),
    ...(countries.length === 0 ? [] : [`to ${countries.join(', ')} only`]),
    ...(addresses.length === 0 ? [] : [`from ${some(addresses.length, 'network', 'networks')} only`]),
    ...(expiresAt === null ? [] : [`${key.isExpired ? 'expired' : 'until'} ${newYorkMoment(expiresAt)}`]),
  ];
}

interface ConfirmProps {
  readonly kind: 'rotate' | 'end-old' | 'revoke';
  readonly current: NamedKeyView;
  readonly focusAfter: () => HTMLElement | null;
  readonly onDone: (answer: NamedKeysAnswer | NamedKeySecretAnswer) => void;
  readonly onClose: () => void;
}

const questions = {
  rotate: {
    title: (name: string) => `New secret for “${name}”?`,
    label: 'Create new secret',
    done: (name: string) => `The key “${name}” has a new secret.`,
  },
  'end-old': {
    title: (name: string) => `End the old secrets of “${name}”?`,
    label: 'End old secrets',
    done: (name: string) => `The old secrets of “${name}” have ended.`,
  },
  revoke: {
    title: (name: string) => `Revoke “${name}”?`,
    label: 'Revoke key',
    done: (name: string) => `The key “${name}” is revoked.`,
  },
} as const;

/** Choices of hours for which an old secret keeps working. */
const graceHours = [0, 1, 24, limits.oldKeyHoursMax] as const;

/** Warns which programs will stop working. */
function Confirm({ kind, current: { id, name, masked, forSamples }, focusAfter, onDone, onClose }: ConfirmProps) {
  const client = useQueryClient();
  const [keepOldForHours, setHours] = useState(0);
  const [cancelScheduled, setCancelScheduled] = useState(false);
  const { title, label, done } = questions[kind];
  const work = useMutation<NamedKeysAnswer | NamedKeySecretAnswer>({
    mutationFn: () => {
      if (kind === 'revoke') return revokeNamedKey(id, cancelScheduled);
      if (kind === 'end-old') return endOldSecrets(id);
      return rotateNamedKey(id, { keepOldForHours, cancel_scheduled: cancelScheduled });
    },
    onSuccess: (answer) => {
      onDone(answer);
      showToast(done(name) + canceledText(answer));
    },
    // The key may have been revoked elsewhere, or the answer was lost.
    onError: () => client.invalidateQueries({ queryKey: namedKeysQuery.queryKey }),
  });
  const failure = work.error && failureOf(work.error);
  return (
    <Question
      title={title(name)}
      focusAfter={focusAfter}
      onClose={onClose}
      actions={
        <Button look={kind === 'rotate' ? 'primary' : 'danger'} disabled={work.isPending} onClick={() => work.mutate()}>
          {work.isPending ? 'Loading...' : label}
        </Button>
      }
    >
      <div className={styles.words}>
        {kind === 'rotate' && (
          <fieldset className={choice.choices}>
            <legend>The secret {masked} keeps working</legend>
            {graceHours.map((hours) => (
              <label key={hours} className={choice.choice}>
                <input type="radio" name="hours" checked={hours === keepOldForHours} onChange={() => setHours(hours)} />
                {hours === 0 ? 'not at all: it ends at once' : `for ${hours} ${hours === 1 ? 'hour' : 'hours'}`}
              </label>
            ))}
          </fieldset>
        )}
        <p>{consequenceOf(kind, { masked, forSamples, keepOldForHours })}</p>
        {kind !== 'end-old' && <ScheduledChoice keyId={id} isChosen={cancelScheduled} onChange={setCancelScheduled} />}
        {failure?.code === 'too_many_keys' ? (
          <Notice kind="bad" role="alert">
            {failure.message} {failure.detail}
          </Notice>
        ) : (
          <ActionFailure error={work.error} what="The key was not changed." />
        )}
      </div>
    </Question>
  );
}

type Consequence = Pick<NamedKeyView, 'masked' | 'forSamples'> & { readonly keepOldForHours: number };

function consequenceOf(kind: ConfirmProps['kind'], { masked, forSamples, keepOldForHours }: Consequence): string {
  const ends = `The secret ${masked} stops working at once: programs that still use it send nothing.`;
  switch (kind) {
    case 'revoke':
      if (forSamples) return `${ends} The documentation makes another one when you read it.`;
      return `${ends} This cannot be undone.`;
    case 'end-old':
      return `Only the secret ${masked} works then. Programs that still use an older one send nothing.`;
    case 'rotate':
      return keepOldForHours === 0
        ? `${ends} Older secrets end too. The key keeps its name, limits and spending.`
        : 'Update your programs within this time. Both secrets share the limits and the budget of the key.';
  }
}
