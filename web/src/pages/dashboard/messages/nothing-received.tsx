import { paths } from '../../../paths.js';
import { Link } from 'react-router';
import { ButtonLink } from '../../../ui/button.js';
import { EmptyView } from '../../../dashboard/ui/empty-view.js';

/** Replies come to a webhook: without one nothing is received. */
export function NothingReceived() {
  return (
    <EmptyView
      title="No received SMS history available."
      text="When somebody answers a message of yours, the reply is listed here and posted to your webhook. Set its URL to receive replies."
    >
      <ButtonLink to={paths.dashboardWebhook}>Set your webhook URL</ButtonLink>
      <Link to={paths.receiving} reloadDocument>
        How replies reach you
      </Link>
    </EmptyView>
  );
}
