import { useQuery } from '@tanstack/react-query';
import { keyScheduledQuery } from '../../api/account.js';
import choice from '../../ui/choice.module.css';

interface ScheduledChoiceProps {
  /** A named key; undefined for the account's first key. */
  readonly keyId: string | undefined;
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
}

/** Offers to cancel a key's scheduled messages; hidden when there are none. */
export function ScheduledChoice({ keyId, isChosen, onChange }: ScheduledChoiceProps) {
  const { data } = useQuery(keyScheduledQuery(keyId));
  if (!data || data.messages === 0) return null;
  const messages = data.messages === 1 ? 'message that leaves' : 'messages that leave';
  return (
    <label className={choice.choice}>
      <input type="checkbox" checked={isChosen} onChange={({ target }) => onChange(target.checked)} />
      Cancel and refund the {data.messages.toLocaleString('en-US')} scheduled {messages} otherwise
    </label>
  );
}

/** Toast text about messages that were canceled with a key. */
export function canceledText({ canceled = 0 }: { readonly canceled?: number | undefined }): string {
  if (canceled === 0) return '';
  return ` ${canceled.toLocaleString('en-US')} scheduled ${canceled === 1 ? 'message is' : 'messages are'} canceled.`;
}
