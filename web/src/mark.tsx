/** The mark: a coin whose rim is a speech bubble, in the colour of the text around it. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M16 2a13 13 0 1 1-6.4 24.3L3.5 29l1.6-7A13 13 0 0 1 16 2Z" fill="currentColor" />
      <g fill="none" stroke="var(--ground)" strokeLinecap="round" strokeLinejoin="round">
        <circle cx="16" cy="15" r="9.2" strokeWidth="1.6" />
        <path d="M13.2 20.5v-11h3.6a3.4 3.4 0 0 1 0 6.8h-3.6" strokeWidth="2.2" />
      </g>
    </svg>
  );
}
