import { Link, useLocation, useSearchParams } from 'react-router';
import { failureOf } from '../../../api/api-failure.js';
import { MessageDetails } from './message-details.js';
import { useSentMessage } from './use-sent-message.js';
import { EmptyView } from '../../../dashboard/ui/empty-view.js';
import { FailureNotice } from '../../../dashboard/ui/failure-notice.js';
import { View } from '../../../dashboard/ui/view.js';
import { paths } from '../../../paths.js';
import { ButtonLink } from '../../../ui/button.js';

export default function MessagePage() {
  const [address] = useSearchParams();
  const id = address.get('id') ?? '';
  return (
    <View title="Message" lead={<BackToHistory />}>
      <Message key={id} id={id} />
    </View>
  );
}

function Message({ id }: { id: string }) {
  const { data: message, error, refetch } = useSentMessage(id);
  if (message) return <MessageDetails message={message} />;
  if (error && failureOf(error).kind === 'refused')
    return (
      <EmptyView title="There is no such message." text="Its id is not one of your account’s sent messages.">
        <ButtonLink to={paths.dashboardMessages}>See all messages</ButtonLink>
      </EmptyView>
    );
  if (error)
    return <FailureNotice error={error} what="The message could not be loaded." onRetry={() => void refetch()} />;
  return <p role="status">Loading...</p>;
}

/** To the table as it was filtered, for whoever came from there. */
function BackToHistory() {
  const { state } = useLocation() as { state: unknown };
  const search = typeof state === 'object' && state && 'search' in state ? String(state.search) : '';
  return <Link to={`${paths.dashboardMessages}${search}`}>Back to SMS History</Link>;
}
