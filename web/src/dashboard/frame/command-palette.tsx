import { Autocomplete } from '@base-ui/react/autocomplete';
import { type ComponentType, useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { plainTyped } from '#contract/characters.js';
import type { ReceivedRow, SentRow } from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import { findMessagesQuery } from '../../api/messages.js';
import { numbersQuery, poolsQuery } from '../../api/numbers.js';
import { conversationPath, createKeyPath, messagePath, numberPath, paths, sendCodePath } from '../../paths.js';
import { toggleColorScheme } from '../../features/site/color-scheme.js';
import { type DocsResult, findInDocs, useDocsIndex } from '../../features/site/docs-index.js';
import { briefDayText, cutText, isTexted, newYorkClock, newYorkDay, orRemoved } from '../../ui/format.js';
import { textOrMedia } from '../records/text-or-media.js';
import { IconSearch, IconSun } from '../../ui/line-icons.js';
import { shownNumber } from '../../ui/phone-numbers.js';
import { Palette, PaletteInput, paletteProps } from '../../ui/palette.js';
import styles from '../../ui/palette.module.css';
import { statusWords } from '../records/status-label.js';
import {
  IconFileText,
  IconKey,
  IconLogout,
  IconMessageCircle,
  IconMessages,
  IconPhone,
  IconShieldLock,
  IconUsersGroup,
} from './icons.js';
import { views } from './views.js';

interface Command {
  readonly id: string;
  readonly title: string;
  /** Kind of the destination, shown beside the title. */
  readonly kind: string;
  readonly icon: ComponentType<{ readonly size?: number; readonly 'aria-hidden'?: boolean | 'true' }>;
  /** Text below the title. */
  readonly detail?: string;
  /** Other words that find the command. */
  readonly words?: string;
  /** Path of the command's view, or its action. */
  readonly act: string | (() => void);
  /** The command is made from the typed text, so it always matches. */
  readonly isFound?: boolean;
}

interface Group {
  readonly value: string;
  readonly items: readonly Command[];
}

interface CommandPaletteProps {
  readonly typed: string;
  readonly setTyped: (text: string) => void;
  readonly onClose: () => void;
  readonly onLogOut: () => void;
}

/**
 * Finds views, actions, documentation, and messages by text, reference, number or id: of a message,
 * a bulk or a one-time password; and the account's numbers and pools.
 */
export function CommandPalette(props: CommandPaletteProps) {
  return (
    <Palette label="Commands" onClose={props.onClose} onRetry={() => props.setTyped('')}>
      <Commands {...props} />
    </Palette>
  );
}

/** Other words that find a view. */
const viewWords: ReadonlyMap<string, string> = new Map([
  [paths.dashboard, 'balance overview usage'],
  [paths.dashboardBilling, 'payments invoices receipts pdf ledger spend credits top-ups vat'],
  [paths.dashboardMessages, 'messages sent received search export csv'],
  [paths.dashboardPurchase, 'buy pay packs card automatic top-up'],
  [paths.dashboardRedeem, 'coupon voucher'],
  [paths.dashboardSend, 'message text compose new'],
  [paths.dashboardBulk, 'batch list campaign csv'],
  [paths.dashboardConversations, 'replies inbox threads chat'],
  [paths.dashboardNumbers, 'buy phone number pools sender from rent toll-free released'],
  [paths.dashboardOptOuts, 'stop unsubscribe export csv'],
  [paths.dashboardDeliverability, 'delivery failures reasons errors export csv'],
  [paths.dashboardOtp, 'otp codes verification conversion channels whatsapp voice call'],
  [paths.dashboardKey, 'key secret rotate replace revoke budget scopes exposure'],
  [paths.dashboardConnect, 'plug supabase auth0 logto zitadel keycloak authentik ory novu hook login codes'],
  [paths.dashboardWebhook, 'url events deliveries signing secret test receive'],
  [paths.dashboardRequests, 'log calls api'],
  [paths.dashboardAccount, 'settings alerts email notices countries sessions devices password data export delete'],
]);

function Commands({ typed, setTyped, onClose, onLogOut }: CommandPaletteProps) {
  const navigate = useNavigate();
  // Without the index the palette finds everything else.
  const { index: docs } = useDocsIndex();
  const plain = plainTyped(typed);
  const found = useFound(plain);
  const own = useOwnNumbers();
  const run = ({ act }: Command) => {
    onClose();
    if (typeof act === 'string') void navigate(act);
    else act();
  };
  const action = { kind: 'Action' } as const;
  const actions: readonly Command[] = [
    {
      ...action,
      id: 'create-key',
      title: 'Create an API key',
      icon: IconKey,
      words: 'new key limits',
      act: createKeyPath,
    },
    {
      ...action,
      id: 'send-code',
      title: 'Send a one-time password',
      icon: IconShieldLock,
      words: 'otp code verification channels',
      act: sendCodePath,
    },
    {
      ...action,
      id: 'color-scheme',
      title: 'Switch between light and dark',
      icon: IconSun,
      words: 'toggle theme color scheme',
      act: toggleColorScheme,
    },
    { ...action, id: 'log-out', title: 'Log out', icon: IconLogout, words: 'sign out logout', act: onLogOut },
  ];
  // Results that load later stand below, so that they do not displace the item that Enter chooses.
  const groups: readonly Group[] = [
    { value: 'Views', items: views.map(([title, to, icon]) => viewCommand(title, to, icon)) },
    { value: 'Actions', items: actions },
    { value: 'Search', items: searchesFor(plain) },
    // Numbers appear once something is typed: an account can have many.
    { value: 'Numbers', items: plain === '' ? [] : own },
    { value: 'Messages', items: found.commands },
    { value: 'Documentation', items: docs && typed.trim() ? findInDocs(docs, typed, DOCS_MAX).map(pageCommand) : [] },
  ];
  return (
    <Autocomplete.Root
      {...paletteProps}
      items={groups}
      filter={isMatch}
      itemToStringValue={({ title }: Command) => title}
      value={typed}
      onValueChange={(text, { reason }) => reason !== 'item-press' && setTyped(text)}
    >
      <PaletteInput
        label="Search commands"
        placeholder="View, action, number, text, reference or id"
        closeLabel="Close commands"
        onClose={onClose}
      />
      <Autocomplete.Empty className={styles.empty}>Nothing found.</Autocomplete.Empty>
      <Autocomplete.List className={styles.list}>
        {(group: Group) => (
          <Autocomplete.Group key={group.value} items={group.items}>
            <Autocomplete.GroupLabel className={styles.group}>{group.value}</Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(command: Command) => (
                <Autocomplete.Item
                  key={command.id}
                  value={command}
                  className={styles.item}
                  onClick={() => run(command)}
                >
                  <CommandText {...command} />
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
      {found.isFailed && (
        <p className={styles.status} role="status">
          Your messages could not be searched.
        </p>
      )}
    </Autocomplete.Root>
  );
}

function CommandText({ icon: Icon, title, detail, kind }: Command) {
  return (
    <span className={styles.command}>
      <Icon size={18} aria-hidden="true" />
      <span className={styles.words}>
        <bdi>{title}</bdi>
        {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      </span>
      <span className={styles.kind}>{kind}</span>
    </span>
  );
}

const DOCS_MAX = 6;

function viewCommand(title: string, to: string, icon: Command['icon']): Command {
  return { id: to, title, kind: 'View', icon, act: to, words: viewWords.get(to) ?? '' };
}

/** `Guide:` tells a page from a view. The id has the heading, as sections can share an address. */
function pageCommand({ page, heading, path }: DocsResult): Command {
  const title = `Guide: ${page === heading ? page : `${page}, ${heading}`}`;
  return { id: path + heading, title, kind: 'Documentation', icon: IconFileText, act: path, isFound: true };
}

/** Returns whether each typed word is in the title or the other words. */
function isMatch({ title, words = '', isFound = false }: Command, typed: string): boolean {
  const text = `${title} ${words}`.toLowerCase();
  return (
    isFound ||
    typed
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  );
}

/** The account's numbers, by digits and labels, and its pools; empty if they cannot be loaded. */
function useOwnNumbers(): readonly Command[] {
  const { data: own } = useQuery(numbersQuery());
  const { data: pooled } = useQuery(poolsQuery);
  const numbers = (own?.numbers ?? []).map(({ number_id: id, number, label }): Command => ({
    id,
    title: label === null ? shownNumber(number) : `${label} (${shownNumber(number)})`,
    kind: 'Number',
    icon: IconPhone,
    words: number,
    act: numberPath(id),
  }));
  const pools = (pooled?.pools ?? []).map(({ pool_id: id, name }): Command => ({
    id,
    title: name,
    kind: 'Pool',
    icon: IconPhone,
    words: id,
    act: `${paths.dashboardNumbers}?tab=pools`,
  }));
  return [...numbers, ...pools];
}

const ID = /^(sm|ba|ot)([0-9a-f]{32})$/i;
/** A whole number in E.164, with its country code. */
const WHOLE_NUMBER = /^\+[1-9]\d{7,14}$/;
/** Some digits of a phone number, as the histories search for it. */
const NUMBER = /^\+?[\d\s().-]{4,24}$/;

/** Minimum length of a searched text; most messages contain shorter texts. */
const SEARCHED_CHARACTERS_MIN = 2;

/** Commands that search for the typed text. */
function searchesFor(typed: string): readonly Command[] {
  const [, letters = '', digits = ''] = ID.exec(typed) ?? [];
  if (digits !== '') return [idCommand(letters.toUpperCase(), digits.toLowerCase())];
  if (typed.length < SEARCHED_CHARACTERS_MIN) return [];
  const search = typed.slice(0, limits.searchCharactersMax);
  const number = `+${typed.replace(/\D/g, '')}`;
  const isWhole = NUMBER.test(typed) && typed.startsWith('+') && WHOLE_NUMBER.test(number);
  const what = `“${cutText(typed).shown}”`;
  return [
    ...(isWhole
      ? [
          {
            id: 'conversation',
            title: `Conversation with ${shownNumber(number)}`,
            kind: 'Conversation',
            icon: IconMessageCircle,
            act: conversationPath(number),
            isFound: true,
          },
        ]
      : []),
    {
      id: 'search-sent',
      title: `Search sent messages for ${what}`,
      kind: 'SMS History',
      icon: IconSearch,
      act: historyPath('sent', search),
      isFound: true,
    },
    {
      id: 'search-received',
      title: `Search received messages for ${what}`,
      kind: 'SMS History',
      icon: IconSearch,
      act: historyPath('received', search),
      isFound: true,
    },
  ];
}

const historyPath = (tab: 'sent' | 'received', search: string) =>
  `${paths.dashboardMessages}?${new URLSearchParams({ ...(tab === 'received' && { tab }), search }).toString()}`;

function idCommand(letters: string, digits: string): Command {
  const id = `${letters}${digits}`;
  const common = { id: 'id', isFound: true } as const;
  if (letters === 'SM')
    return { ...common, title: `Open message ${id}`, kind: 'Message', icon: IconMessages, act: messagePath(id) };
  const act = historyPath('sent', id);
  return letters === 'BA'
    ? { ...common, title: `Messages of bulk ${id}`, kind: 'Bulk', icon: IconUsersGroup, act }
    : { ...common, title: `Message of one-time password ${id}`, kind: 'One-time password', icon: IconMessages, act };
}

/** Pause in typing after which messages are searched. */
const PAUSE_MS = 250;

/** The newest messages with a text, reference or number. */
function useFound(typed: string): { readonly commands: readonly Command[]; readonly isFailed: boolean } {
  const [search, setSearch] = useState('');
  const wanted =
    typed.length < SEARCHED_CHARACTERS_MIN || ID.test(typed) ? '' : typed.slice(0, limits.searchCharactersMax);
  useEffect(() => {
    const timer = window.setTimeout(() => setSearch(wanted), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [wanted]);
  const { data, isError } = useQuery({ ...findMessagesQuery(search), enabled: search !== '' });
  if (search === '' || search !== wanted) return { commands: [], isFailed: false };
  return {
    commands: [...(data?.sent ?? []).map(sentCommand), ...(data?.received ?? []).map(receivedCommand)],
    isFailed: isError,
  };
}

const dayAndTime = (at: string) => `${briefDayText(newYorkDay(new Date(at)))}, ${newYorkClock(at)}`;

function sentCommand({ messageId, to, message, reference, at, status }: SentRow): Command {
  const detail = [reference, statusWords[status], dayAndTime(at)].filter((part) => part !== null).join(' · ');
  return {
    id: messageId,
    title: `${orRemoved(isTexted(to) ? to : shownNumber(to))}: ${cutText(orRemoved(message)).shown}`,
    detail,
    kind: 'Sent message',
    icon: IconMessages,
    act: messagePath(messageId),
    isFound: true,
  };
}

function receivedCommand({ messageId, from, message, isTextRemoved, media, at }: ReceivedRow): Command {
  const line = textOrMedia(
    message,
    media.map(({ type }) => type),
    isTextRemoved,
  );
  return {
    id: messageId,
    title: `${orRemoved(from)}: ${cutText(line).shown}`,
    detail: dayAndTime(at),
    kind: 'Received message',
    icon: IconMessageCircle,
    act: historyPath('received', messageId),
    isFound: true,
  };
}
