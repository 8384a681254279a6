/** The mark: a copper coin whose rim is a speech bubble. In one colour, the text colour around it. */
export function Mark({ size }: { size: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
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
