import type { RefObject } from 'react';
import { Link, useNavigate } from 'react-router';
import type { PlugView } from '#contract/plugs.js';
import { shownProducts } from '../../content/plug-products.js';
import { editKeyPath, paths } from '../../paths.js';
import { Button, CopyButton } from '../../ui/button.js';
import { Menu } from '../../ui/menu.js';
import { Moment } from '../../ui/moment.js';
import entries from '../../ui/entries.module.css';
import styles from './connect.module.css';

export type PlugAction = 'rotate' | 'disconnect';

interface PlugListProps {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly plugs: readonly PlugView[];
  readonly onAction: (kind: PlugAction, plug: PlugView) => void;
}

/** The plugs, with the state of each. */
export function PlugList({ list, plugs, onAction }: PlugListProps) {
  const navigate = useNavigate();
  const itemsOf = (plug: PlugView) => [
    { title: newSecretTitle(plug), onChoose: () => onAction('rotate', plug) },
    { title: 'Requests', onChoose: () => void navigate(requestsPath(plug)) },
    { title: 'Limits', onChoose: () => void navigate(editKeyPath(plug.keyId)) },
    { title: 'Disconnect…', onChoose: () => onAction('disconnect', plug), isDanger: true },
  ];
  return (
    <ul ref={list} className={entries.list} aria-label="Connected products">
      {plugs.map((plug) => {
        const { keyId, name, product, address, org, oldSecretEndsAt, toPath, codePath } = plug;
        return (
          <li key={keyId} id={keyId} className={entries.entry}>
            <div className={entries.about}>
              <p>
                <strong dir="auto">{name}</strong> <span className={entries.badge}>{shownProducts[product].title}</span>
              </p>
              <div className={entries.secret}>
                <code>{address}</code>
                <CopyButton
                  text={address}
                  label={`Copy address of ${name}`}
                  done="Address copied to clipboard!"
                  look="plain"
                />
              </div>
              <div aria-live="polite">
                <State plug={plug} onEnterKey={() => onAction('rotate', plug)} />
              </div>
              {org !== null && (
                <p className={entries.fact}>
                  Texts begin with “Message from <bdi>{org}</bdi>.”
                </p>
              )}
              {product === 'otp' && (
                <p className={entries.fact}>
                  Number in <code>{toPath}</code>, code in <code>{codePath}</code>.
                </p>
              )}
              {oldSecretEndsAt !== null && (
                <p className={entries.fact}>
                  The old secret works until <Moment at={oldSecretEndsAt} />.
                </p>
              )}
            </div>
            <Menu label={`Actions for ${name}`} items={itemsOf(plug)} />
          </li>
        );
      })}
    </ul>
  );
}

/** The last call, or what is missing before the first one. */
function State({ plug, onEnterKey }: { plug: PlugView; onEnterKey: () => void }) {
  const { isSigned, lastCallAt, lastResult } = plug;
  if (!isSigned)
    return (
      <div className={styles.buttons}>
        <p>Needs ZITADEL’s signing key.</p>
        <Button onClick={onEnterKey}>Enter signing key</Button>
      </div>
    );
  if (lastCallAt === null || lastResult === null) return <p>Waiting for the first call.</p>;
  return (
    <p>
      Last call <Moment at={lastCallAt} />:{' '}
      {lastResult === 'sent' ? (
        'sent'
      ) : (
        <Link to={`${paths.errors}#${lastResult}`} aria-label={`What ${lastResult} means`}>
          {lastResult}
        </Link>
      )}
    </p>
  );
}

/** ZITADEL makes the secret itself. */
export function newSecretTitle({ product }: Pick<PlugView, 'product'>): string {
  return product === 'zitadel' ? 'New signing key…' : 'New secret…';
}

/** The requests whose path is that of the plug's address. */
function requestsPath({ address }: PlugView): string {
  return `${paths.dashboardRequests}?${new URLSearchParams({ search: new URL(address).pathname }).toString()}`;
}
