import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { readKeys } from '../../../../api/account.js';
import { queryKeys } from '../../../../dashboard/query-keys.js';
import { paths } from '../../../../paths.js';
import { site } from '../../../../site.js';
import { CodeWindow } from '../../../../ui/code-window.js';
import styles from './no-messages.module.css';

/** What stands there before the first message: what will be seen, and how to send one. */
export function NoMessages({ days }: { days: number }) {
  const { data: keys } = useQuery({ queryKey: queryKeys.keys, queryFn: readKeys });
  return (
    <div className={styles.none}>
      <Drawing />
      <div className={styles.words}>
        <p className={styles.title}>No messages in the last {days} days.</p>
        <p>
          Send one from your terminal, or <Link to={paths.dashboardSend}>write it here</Link>, and watch it being
          delivered. Put in a number of your own; the copied command has your API key in it.
        </p>
      </div>
      {keys && (
        <div className={styles.code}>
          <CodeWindow title="Curl" code={[[curl(keys.apiKey)]]}>
            <code>{curl(keys.masked)}</code>
          </CodeWindow>
        </div>
      )}
    </div>
  );
}

function curl(apiKey: string): string {
  return [
    `curl ${site.url}/api/sendsms \\`,
    `  --data-urlencode to='+12025550142' \\`,
    `  --data-urlencode message='Hello from Pennytext' \\`,
    `  --data-urlencode apikey='${apiKey}'`,
  ].join('\n');
}

/** Three columns, the last of them a stack of pennies with a word to say. */
function Drawing() {
  return (
    <svg className={styles.drawing} width="120" height="96" viewBox="0 0 120 96" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
        <path className={styles.ground} d="M6 88h108" />
        <path className={styles.ground} d="M14 88V72h18v16M42 88V58h18v30" />
        <path d="M70 82c0 3 5 6 12 6s12-3 12-6v-8c0 3-5 6-12 6s-12-3-12-6zM70 66v8M94 66v8M70 66c0 3 5 6 12 6s12-3 12-6-5-6-12-6-12 3-12 6z" />
        <path d="M84 10a18 18 0 1 1-7 34.600l-9 2.800 2.900-8A18 18 0 0 1 84 10Z" />
        <path d="M81 36V20h5a5 5 0 0 1 0 10h-5" />
      </g>
    </svg>
  );
}
