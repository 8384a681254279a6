import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { limits } from '#contract/limits.js';
import { plugProducts } from '#contract/plug-products.js';
import type { PlugsAnswer, PlugSecretAnswer, PlugView } from '#contract/plugs.js';
import { plugsQuery } from '../../api/plugs.js';
import { shownProducts } from '../../content/plug-products.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { paths } from '../../paths.js';
import { Button, ButtonLink, CopyButton } from '../../ui/button.js';
import { Notice } from '../../ui/surface.js';
import { EmptyView, View } from '../../ui/view.js';
import entries from '../../ui/entries.module.css';
import styles from './connect.module.css';
import { ConnectDialog, DisconnectQuestion, RotateQuestion } from './plug-dialogs.js';
import { type PlugAction, PlugList } from './plug-list.js';

/** Interval while a plug waits for its first call, which is then seen at once. */
const AWAITED_EVERY_MS = 2_000;
/** Interval otherwise: no live event reports a call. */
const EVERY_MS = 10_000;

const actionKinds: readonly PlugAction[] = ['rotate', 'disconnect'];

/** The popup that the address opens, so that a sign-in on the way leads back to it. */
function actionIn(search: URLSearchParams, plugs: readonly PlugView[] = []) {
  const kind = actionKinds.find((name) => search.has(name));
  const plug = kind && plugs.find(({ keyId }) => keyId === search.get(kind));
  return kind && plug && { kind, plug };
}

/** Other products that send their codes or texts through this account. */
export default function ConnectPage() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    ...plugsQuery,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => intervalFor(state.data),
  });
  const [search, setSearch] = useSearchParams();
  const replaceSearch = (next: Record<string, string>) => setSearch(next, { replace: true, preventScrollReset: true });
  const asked = search.get('connect');
  const action = actionIn(search, data?.plugs);
  const [created, setCreated] = useState<Pick<PlugSecretAnswer, 'keyId' | 'secret'>>();
  const shown = created && data?.plugs.find(({ keyId }) => keyId === created.keyId);

  const connectButton = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  /** The plug that has ended: its row may still exist when the question asks for the next focus. */
  const ended = useRef<string>(undefined);
  const menuOf = ({ keyId }: PlugView) => {
    const rows = [...(list.current?.children ?? [])];
    const row = ended.current === keyId ? undefined : rows.find(({ id }) => id === keyId);
    return row?.querySelector<HTMLElement>('button[aria-haspopup=menu]') ?? connectButton.current;
  };
  const close = () => replaceSearch({});
  const opened = search.toString();
  const latest = useRef(opened);
  useEffect(() => {
    latest.current = opened;
  });
  /** Leaves a popup open that was opened before a late answer. */
  const done = (answer: PlugsAnswer | PlugSecretAnswer) => {
    client.setQueryData(plugsQuery.queryKey, { plugs: answer.plugs });
    if ('keyId' in answer) setCreated(answer);
    if (latest.current === opened) close();
  };
  const connect = () => replaceSearch({ connect: '' });
  return (
    <View
      title="Connect"
      lead="Another product makes and checks the codes; Pennytext sends them."
      actions={
        <>
          <ButtonLink to={paths.connect}>How it works</ButtonLink>
          <Button ref={connectButton} look="primary" onClick={connect}>
            Connect a product
          </Button>
        </>
      }
    >
      {created && shown && (
        <NewPlug key={created.secret} plug={shown} secret={created.secret} onDone={() => setCreated(undefined)} />
      )}
      {data ? (
        data.plugs.length === 0 ? (
          <EmptyView
            title="Nothing is connected yet."
            text={
              'A plug is an address with a secret of its own, which another product calls to send a code that it has ' +
              'made, or a text.'
            }
          >
            <Button onClick={connect}>Connect your first product</Button>
          </EmptyView>
        ) : (
          <PlugList list={list} plugs={data.plugs} onAction={(kind, { keyId }) => replaceSearch({ [kind]: keyId })} />
        )
      ) : error ? (
        <FailureNotice error={error} what="Your plugs could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
      {asked !== null && (
        <ConnectDialog first={plugProducts.find((name) => name === asked)} onDone={done} onClose={close} />
      )}
      {action?.kind === 'rotate' && (
        <RotateQuestion plug={action.plug} focusAfter={() => menuOf(action.plug)} onDone={done} onClose={close} />
      )}
      {action?.kind === 'disconnect' && (
        <DisconnectQuestion
          plug={action.plug}
          focusAfter={() => menuOf(action.plug)}
          onDone={() => {
            ended.current = action.plug.keyId;
            done({ plugs: data?.plugs.filter(({ keyId }) => keyId !== action.plug.keyId) ?? [] });
          }}
          onClose={close}
        />
      )}
    </View>
  );
}

function intervalFor(answer: PlugsAnswer | undefined): number | false {
  if (!answer || answer.plugs.length === 0) return false;
  return answer.plugs.some(({ lastCallAt }) => lastCallAt === null) ? AWAITED_EVERY_MS : EVERY_MS;
}

interface NewPlugProps {
  readonly plug: PlugView;
  /** Null where the product's own secret was given, or has yet to be. */
  readonly secret: string | null;
  readonly onDone: () => void;
}

/** Address and secret to enter in the product. The secret stays on the page until the user hides it. */
function NewPlug({ plug: { product, name, address, isSigned, oldSecretEndsAt }, secret, onDone }: NewPlugProps) {
  const { title, page } = shownProducts[product];
  return (
    <Notice kind="good" role="status">
      <div className={styles.words}>
        <p>
          <strong dir="auto">{name}</strong> {oldSecretEndsAt === null ? 'is connected.' : 'has a new secret.'}{' '}
          {secret !== null && 'Copy the secret now: it is stored encrypted, and cannot be shown again.'}
          {secret === null && !isSigned && 'Give ZITADEL the address, and enter the signing key that it answers with.'}
          {secret === null && isSigned && 'Calls are proved by the secret that you entered.'}{' '}
          {oldSecretEndsAt !== null && `The old one works for ${limits.plugOldSecretHours} hours.`}
        </p>
        <div className={entries.secret} role="group" aria-label="Address">
          Address <code>{address}</code>
          <CopyButton text={address} label="Copy address" done="Address copied to clipboard!" look="plain" />
        </div>
        {secret !== null && (
          <div className={entries.secret} role="group" aria-label="New secret">
            Secret <code>{secret}</code>
            <CopyButton text={secret} label="Copy new secret" done="Secret copied to clipboard!" look="plain" />
          </div>
        )}
        <div className={styles.buttons}>
          <Button onClick={onDone}>Hide</Button>
          <Link to={page}>Where to enter them: {title}</Link>
        </div>
      </div>
    </Notice>
  );
}
