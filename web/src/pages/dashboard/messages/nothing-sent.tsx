import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { readKeys } from '../../../api/account.js';
import { paths } from '../../../paths.js';
import { site } from '../../../site.js';
import { CodeText } from '../../../ui/code-text.js';
import { CodeWindow } from '../../../ui/code-window.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { EmptyView } from '../../../dashboard/ui/empty-view.js';

/** The first message is one call away. The reader's own key is copied, but not shown: who looks on must not see it. */
export function NothingSent() {
  const { data: keys } = useQuery({ queryKey: queryKeys.keys, queryFn: readKeys });
  return (
    <EmptyView
      title="No sent SMS history available."
      text="Every message you send will be listed here, and its status will change while you watch."
    >
      {keys && (
        <CodeWindow title="Curl" code={[[curlWith(keys.apiKey)]]}>
          <CodeText code={[[curlWith(keys.masked)]]} />
        </CodeWindow>
      )}
      <p>
        Or <Link to={paths.dashboardSend}>send one from here</Link>.
      </p>
    </EmptyView>
  );
}

function curlWith(apiKey: string): string {
  return `curl ${site.url}/api/sendsms \\
  --data-urlencode to='+12025550142' \\
  --data-urlencode message='Hello from Pennytext' \\
  --data-urlencode apikey='${apiKey}'`;
}
