import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { limits } from '#contract/limits.js';
import { type NumberView, poolBody, type PoolView } from '#contract/numbers.js';
import { deletePool, numbersKey, numbersQuery, poolsQuery, putPool } from '../../api/numbers.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { numberPath } from '../../paths.js';
import { Button } from '../../ui/button.js';
import choice from '../../ui/choice.module.css';
import { Dialog, Question } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { foundBy, formText, useForm } from '../../ui/form.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import { Card } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { EmptyView } from '../../ui/view.js';
import { Id } from './id.js';
import { NumberState } from './number-state.js';
import styles from './numbers.module.css';

type Popup = { readonly kind: 'edit' | 'delete'; readonly pool: PoolView } | { readonly kind: 'create' };

/** Pools of numbers: a message from a pool uses a number of the pool. */
export function Pools({ onBuy }: { readonly onBuy: () => void }) {
  const { data, error, refetch } = useQuery({ ...poolsQuery, refetchOnMount: 'always' });
  const { data: own } = useQuery(numbersQuery());
  const [popup, setPopup] = useState<Popup>();
  const close = () => setPopup(undefined);
  if (error && !data)
    return <FailureNotice error={error} what="Your pools could not be loaded." onRetry={() => void refetch()} />;
  if (!data || !own) return <p role="status">Loading...</p>;
  return (
    <div className={styles.stack}>
      {data.pools.length === 0 ? (
        <EmptyView
          title="No pools yet."
          text={
            'A pool shares your recipients among its numbers, and each recipient keeps one. Messages that name no ' +
            'sender come from your default pool.'
          }
        >
          {own.numbers.length === 0 ? (
            <Button look="primary" onClick={onBuy}>
              Buy a number
            </Button>
          ) : (
            <Button look="primary" onClick={() => setPopup({ kind: 'create' })}>
              Create a pool
            </Button>
          )}
        </EmptyView>
      ) : (
        <>
          <ul className={styles.pools}>
            {data.pools.map((pool) => (
              <li key={pool.pool_id}>
                <Pool pool={pool} onPopup={(kind) => setPopup({ kind, pool })} />
              </li>
            ))}
          </ul>
          <div>
            <Button onClick={() => setPopup({ kind: 'create' })}>Create a pool</Button>
          </div>
        </>
      )}
      {popup?.kind === 'create' && <PoolDialog pools={data.pools} numbers={own.numbers} onClose={close} />}
      {popup?.kind === 'edit' && (
        <PoolDialog pools={data.pools} numbers={own.numbers} pool={popup.pool} onClose={close} />
      )}
      {popup?.kind === 'delete' && <DeleteQuestion pool={popup.pool} onClose={close} />}
    </div>
  );
}

interface PoolProps {
  readonly pool: PoolView;
  readonly onPopup: (kind: 'edit' | 'delete') => void;
}

function Pool({ pool: { name, default: isDefault, numbers, pool_id: id }, onPopup }: PoolProps) {
  return (
    <Card>
      <div className={styles.pool}>
        <div className={styles.poolTop}>
          <h2 className={styles.title} dir="auto">
            {name}
          </h2>
          <div className={styles.acts}>
            <Button aria-label={`Change ${name}`} onClick={() => onPopup('edit')}>
              Change
            </Button>
            <Button aria-label={`Delete ${name}`} onClick={() => onPopup('delete')}>
              Delete…
            </Button>
          </div>
        </div>
        {isDefault && numbers.length > 0 && <p className={styles.quiet}>Messages without a sender come from it.</p>}
        <Id id={id} of={name} />
        {numbers.length === 0 ? (
          <p>
            {isDefault
              ? 'It has no numbers: until it has one, messages without a sender come from shared numbers.'
              : 'It has no numbers: messages that name it are refused.'}
          </p>
        ) : (
          <ul className={styles.members} aria-label={`Numbers of ${name}`}>
            {numbers.map((number) => (
              <li key={number.number_id}>
                <Link to={numberPath(number.number_id)}>
                  <PhoneNumber number={number.number} />
                </Link>
                {!number.active && <NumberState {...number} />}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

const faultTexts = { name: `Enter a name of up to ${limits.poolNameCharactersMax} characters.` };

interface PoolDialogProps {
  /** Pools of the account. */
  readonly pools: readonly PoolView[];
  readonly numbers: readonly NumberView[];
  /** Undefined for a new pool. */
  readonly pool?: PoolView;
  readonly onClose: () => void;
}

function PoolDialog({ pools, numbers, pool, onClose }: PoolDialogProps) {
  const formId = useId();
  const client = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: putPool,
    onSuccess: ({ name }) => {
      void client.invalidateQueries({ queryKey: numbersKey });
      showToast(`The pool “${name}” is saved.`);
      onClose();
    },
  });
  const { inputOf, isSending, failure, onSubmit } = useForm({
    read: (form) => {
      const found = foundBy(
        poolBody.omit({ apikey: true }),
        {
          // The server finds a pool by its name, so the name stays.
          name: pool?.name ?? formText(form, 'name'),
          numbers: numbers.map(({ number_id: id }) => id).filter((id) => form.has(id)),
          default: form.has('default'),
        },
        faultTexts,
      );
      // A new pool with this name would replace the numbers of the existing pool.
      const isTaken = !pool && 'body' in found && pools.some(({ name }) => name === found.body.name);
      return isTaken
        ? { faults: { name: `You have a pool “${found.body.name}”. Change it, or choose another name.` } }
        : found;
    },
    send: mutateAsync,
  });
  const isMember = (id: string) => pool?.numbers.some(({ number_id }) => number_id === id) ?? false;
  return (
    <Dialog
      title={pool ? pool.name : 'Create a pool'}
      onClose={onClose}
      actions={
        <Button type="submit" form={formId} look="primary" disabled={isSending}>
          {isSending ? 'Loading...' : 'Save pool'}
        </Button>
      }
    >
      <form id={formId} className={styles.form} onSubmit={onSubmit} noValidate>
        {!pool && <Field {...inputOf('name')} label="Name" dir="auto" autoComplete="off" />}
        <fieldset className={choice.choices}>
          <legend>Numbers</legend>
          {numbers.length === 0 && <p>You have no numbers yet.</p>}
          {numbers.map(({ number_id: id, number, label }) => (
            <label key={id} className={choice.choice}>
              <input type="checkbox" name={id} defaultChecked={isMember(id)} />
              <span>
                <PhoneNumber number={number} />
                {label !== null && <bdi className={styles.quiet}> {label}</bdi>}
              </span>
            </label>
          ))}
        </fieldset>
        <label className={choice.choice}>
          <input type="checkbox" name="default" defaultChecked={pool?.default ?? true} />
          Messages without a sender come from it.
        </label>
        <ActionFailure error={failure} what="The pool was not saved." />
      </form>
    </Dialog>
  );
}

function DeleteQuestion({ pool: { pool_id: id, name }, onClose }: { pool: PoolView; onClose: () => void }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deletePool(id),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: numbersKey });
      showToast(`The pool “${name}” is deleted.`);
      onClose();
    },
    onError: () => client.invalidateQueries({ queryKey: numbersKey }),
  });
  return (
    <Question
      title={`Delete “${name}”?`}
      onClose={onClose}
      actions={
        <Button look="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
          {remove.isPending ? 'Loading...' : 'Delete pool'}
        </Button>
      }
    >
      <div className={styles.words}>
        <p>Programs that name this pool are refused then. Its numbers stay yours.</p>
        <ActionFailure error={remove.error} what="The pool was not deleted." />
      </div>
    </Question>
  );
}
