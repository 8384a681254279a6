import { failureOf, placedBy } from '../../api/api-failure.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Notice } from '../../ui/surface.js';
import styles from '../records/dashboard-parts.module.css';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { withReturnPath } from '#contract/sign-in.js';
import { accountQuery, confirmPassword } from '../../api/account.js';
import { useSession } from '../frame/dashboard-context.js';
import { paths } from '../../paths.js';
import { Field } from '../../ui/field.js';
import { formText, useForm } from '../../ui/form.js';
import { keepTyping } from '../../ui/kept-typing.js';

interface Failure {
  readonly error: unknown;
  readonly onRetry: () => void;
}

interface Failures {
  readonly report: (id: string, failure: Failure | undefined) => void;
  /** Current failures of the page; parts that wait for the same call share its error. */
  readonly shown: readonly Failure[];
}

const FailuresContext = createContext<Failures>({ report: () => undefined, shown: [] });

/** Collects the failures of a page, so that several are explained once. */
export function FailureScope({ children }: { children: ReactNode }) {
  const [failures, setFailures] = useState<ReadonlyMap<string, Failure>>(new Map());
  const report = useCallback<Failures['report']>(
    (id, failure) =>
      setFailures((before) => {
        const after = new Map(before);
        if (failure) after.set(id, failure);
        else after.delete(id);
        return after;
      }),
    [],
  );
  const value = useMemo(() => ({ report, shown: [...failures.values()] }), [report, failures]);
  return <FailuresContext value={value}>{children}</FailuresContext>;
}

const isSeveral = (shown: readonly Failure[]) => new Set(shown.map(({ error }) => error)).size > 1;

/** Reports a failed load. Returns whether {@link SeveralFailures} explains it. */
export function useFailure(error: unknown, onRetry: () => void): boolean {
  const id = useId();
  const { report, shown } = use(FailuresContext);
  const latest = useRef(onRetry);
  useEffect(() => {
    latest.current = onRetry;
  });
  // Runs before the browser paints; otherwise a separate notice would flash.
  useLayoutEffect(() => {
    if (!error) return undefined;
    report(id, { error, onRetry: () => latest.current() });
    return () => report(id, undefined);
  }, [id, error, report]);
  return isSeveral(shown);
}

/** One notice for all failures of a page; its button retries all failed loads. */
export function SeveralFailures() {
  const { shown } = use(FailuresContext);
  const [first] = shown;
  if (!first || !isSeveral(shown)) return null;
  const retryAll = () => {
    for (const { onRetry } of shown) onRetry();
  };
  return (
    <div className={styles.several}>
      <Explained error={first.error} what="Parts of this page could not be loaded." onRetry={retryAll} />
    </div>
  );
}

interface FailureNoticeProps {
  readonly error: unknown;
  /** The failure as a sentence: 'Your messages could not be loaded.' */
  readonly what: string;
  readonly onRetry: () => void;
}

/** Replaces content that failed to load: the failure, its reason, and a retry button. */
export function FailureNotice({ error, what, onRetry }: FailureNoticeProps) {
  const isExplained = useFailure(error, onRetry);
  if (isExplained) return <p className={styles.missing}>{what}</p>;
  return <Explained error={error} what={what} onRetry={onRetry} />;
}

function Explained({ error, what, onRetry }: FailureNoticeProps) {
  return (
    <Notice kind="bad" role="alert">
      <div className={styles.failure}>
        <p>
          {what} {failureOf(error).message}
        </p>
        <RequestId error={error} />
        <Button onClick={onRetry}>Try again</Button>
      </div>
    </Notice>
  );
}

/** Id by which the operator finds a server error in the logs. */
function RequestId({ error }: { error: unknown }) {
  const { kind, requestId } = failureOf(error);
  if (kind !== 'broken' || requestId === undefined) return null;
  return (
    <p className={styles.missing}>
      Request id: <code>{requestId}</code>
    </p>
  );
}

interface ActionFailureProps {
  /** Null while nothing has failed. */
  readonly error: unknown;
  /** The failure as a sentence: 'The secret was not changed.' */
  readonly what: string;
}

/**
 * Appears beside a button whose action failed; the button retries the action, after a fresh sign-in
 * if the server requires it.
 */
export function ActionFailure({ error, what }: ActionFailureProps) {
  if (error === null) return null;
  const { code, message } = failureOf(error);
  if (code === 'sign_in_again') return <SignInAgain />;
  return (
    <Notice kind="bad" role="alert">
      {what} {message} <RequestId error={error} />
    </Notice>
  );
}

/**
 * Asks for a fresh sign-in after the server has refused an action without one. Afterwards the user
 * repeats the action: the address names the open popup, and typed text is filled in again.
 */
function SignInAgain() {
  const { data: account } = useQuery(accountQuery);
  const session = useSession();
  const { pathname, search } = useLocation();
  const place = `${pathname}${search}`;
  return (
    <Notice kind="info" role="alert">
      <div className={styles.failure}>
        <p>
          For your safety, this needs a recent sign-in. Nothing was changed.
          {account && account.signInType !== 'custom' && ' You come back here, with what you have typed.'}
        </p>
        {account?.signInType === 'custom' ? (
          <ConfirmPassword />
        ) : (
          <ButtonLink
            to={withReturnPath(paths.googleSignIn, place)}
            reloadDocument
            look="primary"
            onClick={() => session && keepTyping(session.id, place)}
          >
            Sign in again
          </ButtonLink>
        )}
      </div>
    </Notice>
  );
}

const takeFocus = (element: HTMLElement | null) => element?.focus();

/**
 * The field belongs to a separate form outside of the page's: the refused action's form may be
 * around it, and a nested form is never submitted by itself.
 */
function ConfirmPassword() {
  const formId = useId();
  const { mutateAsync } = useMutation({ mutationFn: confirmPassword });
  const { inputOf, isSending, isSent, onSubmit } = useForm({
    read: (form) => {
      const password = formText(form, 'password');
      return password === '' ? { faults: { password: 'Enter your password.' } } : { body: password };
    },
    send: mutateAsync,
    placed: placedBy({}, 'password'),
  });
  if (isSent)
    return (
      <p ref={takeFocus} role="status" tabIndex={-1}>
        Thank you. You can continue now.
      </p>
    );
  return (
    <div className={styles.failure}>
      {createPortal(
        <form
          id={formId}
          noValidate
          onSubmit={(event) => {
            // React's events bubble to the component around the portal.
            event.stopPropagation();
            onSubmit(event);
          }}
        />,
        document.body,
      )}
      <Field
        {...inputOf('password')}
        ref={takeFocus}
        form={formId}
        label="Password"
        type="password"
        autoComplete="current-password"
      />
      <Button type="submit" form={formId} look="primary" disabled={isSending}>
        {isSending ? 'Loading...' : 'Confirm'}
      </Button>
    </div>
  );
}
