import type { KeysAnswer } from '#contract/account.js';
import { newYorkTime } from '../../../dashboard/date-time.js';
import { Table } from '../../../ui/table.js';
import styles from './key-page.module.css';

/** Keys from before that still work, and until when. */
export function EarlierKeys({ earlier }: Pick<KeysAnswer, 'earlier'>) {
  return (
    <section aria-labelledby="earlier-keys">
      <h2 id="earlier-keys" className={styles.title}>
        Earlier keys that still work
      </h2>
      {earlier.length === 0 ? (
        <p>None: your key alone works.</p>
      ) : (
        <Table label="Earlier keys that still work">
          <thead>
            <tr>
              <th scope="col">Key ending in</th>
              <th scope="col">Last used</th>
              <th scope="col">Works until</th>
            </tr>
          </thead>
          <tbody>
            {earlier.map(({ masked, lastUsedAt, expiresAt }) => (
              <tr key={`${masked} ${expiresAt}`}>
                <td>
                  <code>{masked.slice(-4)}</code>
                </td>
                <td>{lastUsedAt ? newYorkTime(lastUsedAt) : 'Never'}</td>
                <td>{newYorkTime(expiresAt)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}
