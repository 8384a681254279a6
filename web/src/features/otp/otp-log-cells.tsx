import type { OtpView } from '#contract/otp.js';
import { regions } from '#contract/regions.js';
import { Flag } from '../../ui/icons.js';
import styles from './otp.module.css';

const countryNames = new Map(regions.map(({ iso2, country }) => [iso2, country]));

export function Country({ iso2 }: { iso2: string }) {
  return (
    <span className={styles.country}>
      {countryNames.has(iso2) && <Flag iso2={iso2} />}
      {countryNames.get(iso2) ?? iso2}
    </span>
  );
}

export function keyText({ key_id: id, key_name: name, status }: OtpView): string {
  if (status === 'blocked') return '–';
  return id === null ? 'Account key' : (name ?? `Revoked key ${id.slice(0, 8)}`);
}
