import { useSearchParams } from 'react-router';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AccountAnswer } from '#contract/account.js';
import { limits } from '#contract/limits.js';
import { accountQuery, deleteAccount, exportData, keepAccount } from '../../api/account.js';
import { placedBy } from '../../api/api-failure.js';
import { Moment } from '../../ui/moment.js';
import { Button } from '../../ui/button.js';
import { Question } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { formText, useForm } from '../../ui/form.js';
import { Notice, Panel } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure } from '../../dashboard/failures/failures.js';
import styles from './account.module.css';

/** Downloads everything that the account has stored. */
export function ExportCard() {
  const exported = useMutation({
    mutationFn: exportData,
    onSuccess: (file) => {
      save(file, 'pennytext-account.json');
      showToast('Your data was downloaded.');
    },
  });
  return (
    <Panel title="Your data">
      <p>
        One JSON file with your profile, messages, replies, credit ledger, payments and invoices. API keys are masked in
        it.
      </p>
      <Button disabled={exported.isPending} onClick={() => exported.mutate()}>
        {exported.isPending ? 'Loading...' : 'Download my data'}
      </Button>
      <ActionFailure error={exported.error} what="Your data was not downloaded." />
    </Panel>
  );
}

/** Offers a file to the browser's downloads. */
function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Deletes the account after some days of grace; until then, the user can keep it. */
export function DeleteCard({ account: { email, deleteAt } }: { account: AccountAnswer }) {
  const client = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const isAsking = deleteAt === null && search.has('delete');
  // The address holds the question, so that a sign-in on the way leads back to it.
  const ask = (isOn: boolean) => setSearch(isOn ? { delete: '' } : {}, { replace: true, preventScrollReset: true });
  const keep = useMutation({
    mutationFn: keepAccount,
    onSuccess: (answer) => {
      client.setQueryData(accountQuery.queryKey, answer);
      showToast('Your account stays.');
    },
  });
  return (
    <Panel title="Delete your account">
      {deleteAt === null ? (
        <>
          <p>
            Your messages, numbers, keys and profile are erased, and unused credits are lost. You can change your mind
            for {limits.accountDeletionGraceDays} days; until then everything works as before.
          </p>
          <Button look="danger" onClick={() => ask(true)}>
            Delete account…
          </Button>
        </>
      ) : (
        <>
          <Notice kind="bad">
            Your account will be deleted on <Moment at={deleteAt} />. Until then it works as before.
          </Notice>
          <Button look="primary" disabled={keep.isPending} onClick={() => keep.mutate()}>
            {keep.isPending ? 'Loading...' : 'Keep my account'}
          </Button>
          <ActionFailure error={keep.error} what="Your account is still scheduled for deletion." />
        </>
      )}
      {isAsking && <ConfirmDeletion email={email} onClose={() => ask(false)} />}
    </Panel>
  );
}

/** Asks for the account's address, so that it is not deleted by mistake. */
function ConfirmDeletion({ email, onClose }: { email: string; onClose: () => void }) {
  const client = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: deleteAccount,
    onSuccess: (answer) => {
      client.setQueryData(accountQuery.queryKey, answer);
      onClose();
    },
  });
  const { inputOf, isSending, failure, onSubmit } = useForm({
    read: (form) => ({ body: { email: formText(form, 'email') } }),
    send: mutateAsync,
    placed: placedBy({ email_mismatch: 'email' }),
  });
  return (
    <Question
      title="Delete your account?"
      onClose={onClose}
      actions={
        <Button type="submit" form="delete-account" look="danger" disabled={isSending}>
          {isSending ? 'Loading...' : 'Delete account'}
        </Button>
      }
    >
      <form id="delete-account" className={styles.confirm} onSubmit={onSubmit} noValidate>
        <p>
          In {limits.accountDeletionGraceDays} days your data is erased for good. Enter {email} to confirm.
        </p>
        <Field {...inputOf('email')} label="Email" type="email" autoComplete="off" />
        <ActionFailure error={failure} what="Your account was not deleted." />
      </form>
    </Question>
  );
}
