import { Autocomplete } from '@base-ui/react/autocomplete';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { plainTyped } from '#contract/characters.js';
import { conversationPath, createKeyPath, messagePath, paths } from '../../paths.js';
import { toggleColorScheme } from '../../features/site/color-scheme.js';
import { type DocsResult, findInDocs, useDocsIndex } from '../../features/site/docs-index.js';
import { shownNumber } from '../../ui/phone-numbers.js';
import { Palette, PaletteInput, paletteProps } from '../../ui/palette.js';
import styles from '../../ui/palette.module.css';
import { views } from './views.js';

interface Command {
  readonly title: string;
  /** Other words that find it. */
  readonly words?: string;
  /** Where it leads, or what it does. */
  readonly act: string | (() => void);
  /** Made from what was typed, so it always matches. */
  readonly isFound?: boolean;
}

interface Group {
  readonly value: string;
  readonly items: readonly Command[];
}

interface CommandPaletteProps {
  readonly onClose: () => void;
  readonly onLogOut: () => void;
}

/** Finds views, actions, documentation, a message by its id, and the messages of a number. */
export function CommandPalette(props: CommandPaletteProps) {
  return (
    <Palette label="Commands" onClose={props.onClose}>
      <Commands {...props} />
    </Palette>
  );
}

function Commands({ onClose, onLogOut }: CommandPaletteProps) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  // Without it the palette finds everything else.
  const { index: docs } = useDocsIndex();
  const run = ({ act }: Command) => {
    onClose();
    if (typeof act === 'string') void navigate(act);
    else act();
  };
  const actions: readonly Command[] = [
    { title: 'Send a message', words: 'sms text compose new', act: paths.dashboardSend },
    { title: 'Create an API key', words: 'new key limits', act: createKeyPath },
    { title: 'Buy credits', words: 'purchase pay top up', act: paths.dashboardPurchase },
    { title: 'Switch between light and dark', words: 'toggle theme color scheme', act: toggleColorScheme },
    { title: 'Log out', words: 'sign out logout', act: onLogOut },
  ];
  const groups: readonly Group[] = [
    { value: 'Messages', items: messagesFor(plainTyped(typed)) },
    { value: 'Actions', items: actions },
    { value: 'Views', items: views.map(([title, to]) => ({ title, act: to })) },
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
        placeholder="View, action, message id or phone number"
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
                  key={command.title}
                  value={command}
                  className={styles.item}
                  onClick={() => run(command)}
                >
                  {command.title}
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

const DOCS_MAX = 6;

function pageCommand({ page, heading, path }: DocsResult): Command {
  return { title: page === heading ? page : `${page}: ${heading}`, act: path, isFound: true };
}

/** Each typed word stands in the title or the other words. */
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

const MESSAGE_ID = /^sm[0-9a-f]{32}$/i;
/** Some digits of a phone number, as the histories search for it. */
const NUMBER = /^\+?[\d\s().-]{4,24}$/;

/** E.164, with its country. */
const WHOLE_NUMBER = /^\+[1-9]\d{7,14}$/;

/** Commands for a message id or a phone number. */
function messagesFor(typed: string): readonly Command[] {
  if (MESSAGE_ID.test(typed)) {
    const id = `SM${typed.slice(2).toLowerCase()}`;
    return [{ title: `Open message ${id}`, act: messagePath(id), isFound: true }];
  }
  if (!NUMBER.test(typed) || !/\d{4}/.test(typed.replace(/\D/g, ''))) return [];
  const history = (tab: 'sent' | 'received') =>
    `${paths.dashboardMessages}?${new URLSearchParams({ tab, number: typed }).toString()}`;
  const number = `+${typed.replace(/\D/g, '')}`;
  return [
    ...(WHOLE_NUMBER.test(number) && typed.startsWith('+')
      ? [{ title: `Conversation with ${shownNumber(number)}`, act: conversationPath(number), isFound: true }]
      : []),
    { title: `Messages sent to ${typed}`, act: history('sent'), isFound: true },
    { title: `Messages received from ${typed}`, act: history('received'), isFound: true },
  ];
}
