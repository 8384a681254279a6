import type { ReactNode } from 'react';

// Shapes in the manner of Tabler's outline icons: 24 px grid, 2 px round strokes.
const shapes = {
  back: <path d="M15 6l-6 6 6 6" />,
  plus: <path d="M12 5v14M5 12h14" />,
  send: <path d="M12 19V5M6 11l6-6 6 6" />,
  search: (
    <>
      <circle cx="10.5" cy="10.5" r="6" />
      <path d="M20 20l-5-5" />
    </>
  ),
  queued: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7v5l3 2" />
    </>
  ),
  sent: <path d="M5 12l5 5L20 7" />,
  delivered: <path d="M2 12l5 5L17 7M12 16l1 1L23 7" />,
  undelivered: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7v6M12 16.5v.01" />
    </>
  ),
  down: <path d="M12 5v14M6 13l6 6 6-6" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

/** An icon beside a word, which carries the meaning. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {shapes[name]}
    </svg>
  );
}
