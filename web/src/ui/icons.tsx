import sprite from 'virtual:flags';

/** The logo: a coin whose rim is a speech bubble, in the surrounding text color. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path
        fill="currentColor"
        d="M16 2a13.5 13.5 0 1 1-5.6 25.8L3.7 29.9a.9.9 0 0 1-1.1-1.2l2.2-6A13.5 13.5 0 0 1 16 2Z"
      />
      <g fill="none" stroke="var(--ground)">
        <circle cx="16" cy="15.5" r="9.6" strokeWidth="1.4" />
        <path
          d="M13.4 21.2V10.4h3.5a3.3 3.3 0 0 1 0 6.6h-3.5"
          strokeWidth="2.4"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </g>
    </svg>
  );
}

/** The flag of a country (ISO 3166-1 alpha-2), decorative beside the country's name. */
export function Flag({ iso2 }: { iso2: string }) {
  return (
    <svg className="flag" width="24" height="16" viewBox="0 0 24 16" aria-hidden="true">
      <use href={`${sprite}#${iso2}`} width="24" height="16" />
    </svg>
  );
}
