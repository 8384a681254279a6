import { useId, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { limits } from '#contract/limits.js';
import { type PlugProduct, plugProducts } from '#contract/plug-products.js';
import {
  type CreatePlugBody,
  createPlugBody,
  type PlugSecretAnswer,
  type PlugView,
  rotatePlugBody,
} from '#contract/plugs.js';
import { namedKeysQuery, revokeNamedKey } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { createPlug, plugsQuery, rotatePlug } from '../../api/plugs.js';
import { shownProducts } from '../../content/plug-products.js';
import { ActionFailure } from '../../dashboard/failures/failures.js';
import { Button } from '../../ui/button.js';
import { Dialog, Question } from '../../ui/dialog.js';
import { Field, Select } from '../../ui/field.js';
import { foundBy, formText, useForm } from '../../ui/form.js';
import { Notice } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import styles from './connect.module.css';

const choices = plugProducts.map((product) => [product, shownProducts[product].title] as const);

const pathFault = 'Enter a path such as $.to or $.user.phone.';
const secretFault = `Up to ${limits.plugSecretCharactersMax} characters.`;
const faultTexts = {
  name: 'Enter a name.',
  org: `Up to ${limits.otpOrgCharactersMax} characters on one line.`,
  toPath: pathFault,
  codePath: pathFault,
  secret: secretFault,
};

interface ConnectDialogProps {
  /** The product that is chosen first. */
  readonly first: PlugProduct | undefined;
  readonly onDone: (answer: PlugSecretAnswer) => void;
  readonly onClose: () => void;
}

/** The product, its name, and what its calls look like. */
export function ConnectDialog({ first = 'supabase', onDone, onClose }: ConnectDialogProps) {
  const formId = useId();
  const [product, setProduct] = useState(first);
  // The proposed name follows the product until a name is typed.
  const [typedName, setTypedName] = useState<string>();
  const { mutateAsync } = useMutation({ mutationFn: createPlug, onSuccess: onDone });
  const form = useForm({
    read: (typed) => foundBy(createPlugBody, settingsIn(typed, product), faultTexts),
    send: (body: CreatePlugBody) => mutateAsync(body),
    placed: secretRefusal,
  });
  const { inputOf, isSending } = form;
  const failure = form.failure === null ? undefined : failureOf(form.failure);
  return (
    <Dialog
      title="Connect a product"
      onClose={onClose}
      actions={
        <Button type="submit" form={formId} look="primary" disabled={isSending}>
          {isSending ? 'Loading...' : 'Connect'}
        </Button>
      }
    >
      <form id={formId} className={styles.form} onSubmit={form.onSubmit} noValidate>
        <Select label="Product" options={choices} value={product} onChange={setProduct} />
        <Field
          {...inputOf('name')}
          label="Name"
          autoComplete="off"
          maxLength={limits.keyNameCharactersMax}
          value={typedName ?? shownProducts[product].keyName}
          onChange={({ target }) => setTypedName(target.value)}
        />
        {product !== 'sms' && (
          <Field
            {...inputOf('org')}
            label="Your organization’s name, optional"
            hint="The text begins with it."
            autoComplete="organization"
            maxLength={limits.otpOrgCharactersMax}
          />
        )}
        {product === 'otp' && (
          <>
            <Field
              {...inputOf('toPath')}
              label="Where the number is in the call’s JSON"
              autoComplete="off"
              spellCheck={false}
              maxLength={limits.plugPathCharactersMax}
              defaultValue="$.to"
            />
            <Field
              {...inputOf('codePath')}
              label="Where the code is"
              autoComplete="off"
              spellCheck={false}
              maxLength={limits.plugPathCharactersMax}
              defaultValue="$.code"
            />
          </>
        )}
        <SecretField key={product} {...inputOf('secret')} product={product} isNew />
        {failure?.code === 'key_limit' ? (
          <Notice kind="bad" role="alert">
            {failure.message} {failure.detail}
          </Notice>
        ) : (
          <ActionFailure error={form.failure} what="Nothing was connected." />
        )}
      </form>
    </Dialog>
  );
}

interface SecretFieldProps {
  readonly name: string;
  readonly fault: string | undefined;
  readonly product: PlugProduct;
  readonly isNew?: boolean;
}

/** The secret of a product that makes its own. It is never kept over a sign-in. */
function SecretField({ product, isNew = false, ...input }: SecretFieldProps) {
  const field = { ...input, type: 'password', autoComplete: 'off', spellCheck: false } as const;
  const max = limits.plugSecretCharactersMax;
  if (product === 'supabase')
    return (
      <Field
        {...field}
        label="Secret that Supabase has generated, optional"
        hint="It begins with v1,whsec_. Without it you get one to enter in Supabase."
        maxLength={max}
      />
    );
  if (product === 'zitadel')
    return (
      <Field
        {...field}
        label={isNew ? 'Signing key, if you have it' : 'Signing key'}
        hint={isNew ? 'ZITADEL makes it for the address, which you see next.' : 'ZITADEL shows it for its provider.'}
        maxLength={max}
      />
    );
  return null;
}

/** Reads the settings from the dialog; fields that the product does not have keep their defaults. */
function settingsIn(form: FormData, product: PlugProduct) {
  const given = (name: string) => formText(form, name).trim() || undefined;
  const path = (name: string) => (form.has(name) ? formText(form, name) : undefined);
  return {
    name: formText(form, 'name'),
    product,
    org: given('org') ?? null,
    toPath: path('toPath'),
    codePath: path('codePath'),
    secret: given('secret'),
  };
}

/** Places a refused secret beside its field. */
function secretRefusal(error: unknown): { secret?: string } {
  const { code, message, detail } = failureOf(error);
  return code === 'plug_secret_invalid' ? { secret: detail ?? message } : {};
}

interface QuestionProps {
  readonly plug: PlugView;
  readonly focusAfter: () => HTMLElement | null;
  readonly onClose: () => void;
}

/** Replaces a plug's secret: by ours, or by the product's. */
export function RotateQuestion({
  plug: { keyId, name, product, isSigned },
  onDone,
  ...question
}: QuestionProps & { readonly onDone: (answer: PlugSecretAnswer) => void }) {
  const formId = useId();
  const client = useQueryClient();
  const isZitadel = product === 'zitadel';
  const { mutateAsync } = useMutation({
    mutationFn: (secret: string | undefined) => rotatePlug(keyId, secret === undefined ? {} : { secret }),
    onSuccess: (answer) => {
      onDone(answer);
      showToast(isSigned ? `“${name}” has a new secret.` : `“${name}” can be called now.`);
    },
    // The plug may have ended elsewhere, or the answer was lost.
    onError: () => client.invalidateQueries({ queryKey: plugsQuery.queryKey }),
  });
  const form = useForm({
    read: (typed) => {
      const secret = formText(typed, 'secret').trim();
      if (isZitadel && secret === '') return { faults: { secret: 'Enter the signing key.' } };
      return foundBy(rotatePlugBody, { secret: secret || undefined }, { secret: secretFault });
    },
    send: ({ secret }) => mutateAsync(secret),
    placed: secretRefusal,
  });
  const action = isZitadel ? 'Save signing key' : 'Create new secret';
  return (
    <Question
      {...question}
      title={isZitadel ? `Signing key of “${name}”` : `New secret for “${name}”?`}
      actions={
        <Button type="submit" form={formId} look="primary" disabled={form.isSending}>
          {form.isSending ? 'Loading...' : action}
        </Button>
      }
    >
      <form id={formId} className={styles.form} onSubmit={form.onSubmit} noValidate>
        {isSigned && (
          <p>
            The old one works for {limits.plugOldSecretHours} hours: change it in {shownProducts[product].name} within
            this time.
          </p>
        )}
        <SecretField {...form.inputOf('secret')} product={product} />
        <ActionFailure error={form.failure} what="The secret was not changed." />
      </form>
    </Question>
  );
}

/** Ends a plug by revoking its key. */
export function DisconnectQuestion({
  plug: { keyId, name, product },
  onDone,
  ...question
}: QuestionProps & { readonly onDone: () => void }) {
  const client = useQueryClient();
  const work = useMutation({
    mutationFn: () => revokeNamedKey(keyId, false),
    onSuccess: ({ keys }) => {
      client.setQueryData(namedKeysQuery.queryKey, { keys });
      onDone();
      showToast(`“${name}” is disconnected.`);
    },
    // The plug may have ended elsewhere, or the answer was lost.
    onError: () => client.invalidateQueries({ queryKey: plugsQuery.queryKey }),
  });
  return (
    <Question
      {...question}
      title={`Disconnect “${name}”?`}
      actions={
        <Button look="danger" disabled={work.isPending} onClick={() => work.mutate()}>
          {work.isPending ? 'Loading...' : 'Disconnect'}
        </Button>
      }
    >
      <div className={styles.words}>
        <p>
          Its address stops working at once, and {shownProducts[product].name} can no longer send anything through it.
          This cannot be undone.
        </p>
        <ActionFailure error={work.error} what="Nothing was disconnected." />
      </div>
    </Question>
  );
}
