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
  /** What has failed on the page now; parts that wait for the same call share its error. */
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

/** Reports what could not be loaded. Returns whether {@link SeveralFailures} explains it. */
export function useFailure(error: unknown, onRetry: () => void): boolean {
  const id = useId();
  const { report, shown } = use(FailuresContext);
  const latest = useRef(onRetry);
  useEffect(() => {
    latest.current = onRetry;
  });
  // Before the browser paints: a notice of its own would only flash.
  useLayoutEffect(() => {
    if (!error) return undefined;
    report(id, { error, onRetry: () => latest.current() });
    return () => report(id, undefined);
  }, [id, error, report]);
  return isSeveral(shown);
}

/** One notice for everything that failed together; its button retries all of it. */
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
  /** What failed, as a sentence: 'Your messages could not be loaded.' */
  readonly what: string;
  readonly onRetry: () => void;
}

/** Replaces content that could not be loaded: what failed, why, and a retry button. */
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

/** What the operator finds a fault of the server by. */
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
  /** What was not done, as a sentence: 'The secret was not changed.' */
  readonly what: string;
}

/**
 * Appears beside a button whose action failed; the button retries it, after a fresh sign-in if that
 * was missing.
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
 * repeats the action: the address names the open popup, and what was typed is filled in again.
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

/** Focuses an element when it appears. */
const takeFocus = (element: HTMLElement | null) => element?.focus();

/**
 * Belongs to a form of its own outside of the page's: the refused action's form may be around it,
 * and a form in a form is never submitted as itself.
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
            // React's events go on to the component around this one.
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
