import sprite from 'virtual:flags';
import styles from './flag.module.css';

/** The flag of a country by its ISO 3166-1 alpha-2 code, beside the country's name. */
export function Flag({ iso2 }: { iso2: string }) {
  return (
    <svg className={styles.flag} width="24" height="16" viewBox="0 0 24 16" aria-hidden="true">
      <use href={`${sprite}#${iso2}`} width="24" height="16" />
    </svg>
  );
}
