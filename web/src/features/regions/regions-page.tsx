import type { Region } from '#contract/regions.js';
import { PageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';
import { Table } from '../../ui/surface.js';
import { useRegions } from '../site/use-regions.js';
import styles from './regions-page.module.css';
import { Flag } from '../../ui/icons.js';
import { IconCheck, IconMinus } from '../../ui/line-icons.js';

export default function RegionsPage() {
  const regions = useRegions();
  const byName = regions.toSorted((a, b) => a.country.localeCompare(b.country, 'en'));
  const activeCount = regions.filter(({ active }) => active).length;
  return (
    <PageFrame
      title="Supported Regions"
      lead={
        `You can send messages to ${activeCount} countries. The other rows show what a message will use ` +
        'once its country is active.'
      }
    >
      <PageMeta
        title="Supported Regions"
        description={
          'The countries that messages can be sent to, with their calling codes and the credits a message uses.'
        }
      />
      <div className={styles.table}>
        <Table label="Credits by country" stacks>
          <thead>
            <tr>
              <th scope="col">Country</th>
              <th scope="col">Code</th>
              <th scope="col" data-number>
                Credits Used Per SMS
              </th>
              <th scope="col">Area Code</th>
              <th scope="col">Service Active</th>
            </tr>
          </thead>
          <tbody>
            {byName.map((region) => (
              <Row key={region.code} {...region} />
            ))}
          </tbody>
        </Table>
      </div>
      <p className={styles.note}>
        A long message has several segments, each of which uses these credits. Several countries share +1: the area code
        after it tells them apart.
      </p>
    </PageFrame>
  );
}

function Row({ country, code, iso2, creditsPerSms, areaCode, active }: Region) {
  const Icon = active ? IconCheck : IconMinus;
  return (
    <tr data-strong={active || undefined}>
      <th scope="row">
        <span className={styles.country}>
          <Flag iso2={iso2} />
          {country}
        </span>
      </th>
      <td data-title="Code" data-short>
        {code}
      </td>
      <td data-title="Credits" data-short data-number>
        {creditsPerSms}
      </td>
      <td data-title="Area code" data-short>
        {areaCode}
      </td>
      <td data-title="Active" data-short>
        <span className={active ? styles.active : styles.inactive}>
          <Icon size={16} aria-hidden="true" />
          {active ? 'Yes' : 'No'}
        </span>
      </td>
    </tr>
  );
}
