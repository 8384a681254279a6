interface IconProps {
  readonly size?: number;
  /** Width of the lines in the icon's own units, of which it has 24. */
  readonly stroke?: number;
  readonly className?: string;
  readonly 'aria-hidden'?: boolean | 'true';
}

/**
 * A line icon of Tabler Icons 3.51 (https://tabler.io/icons, MIT license, copyright Paweł Kuna):
 * its paths as one, in the text's color.
 */
function icon(path: string) {
  return ({ size = 24, stroke = 2, ...rest }: IconProps) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    >
      <path d={path} />
    </svg>
  );
}

export const IconAlertCircle = icon('M3 12a9 9 0 1 0 18 0a9 9 0 0 0-18 0M12 8v4M12 16h.01');
export const IconArrowDown = icon('M12 5l0 14M18 13l-6 6M6 13l6 6');
export const IconArrowUp = icon('M12 5l0 14M18 11l-6-6M6 11l6-6');
export const IconCheck = icon('M5 12l5 5l10-10');
export const IconChecks = icon('M7 12l5 5l10-10M2 12l5 5m5-5l5-5');
export const IconChevronLeft = icon('M15 6l-6 6l6 6');
export const IconClock = icon('M3 12a9 9 0 1 0 18 0a9 9 0 0 0-18 0M12 7v5l3 3');
export const IconDeviceMobileMessage = icon(
  'M11 3h10v8h-3l-4 2v-2h-3l0-8M15 16v4a1 1 0 0 1-1 1h-8a1 1 0 0 1-1-1v-14a1 1 0 0 1 1-1h2M10 18v.01',
);
export const IconMail = icon('M3 7a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-10M3 7l9 6l9-6');
export const IconPhone = icon(
  'M5 4h4l2 5l-2.5 1.5a11 11 0 0 0 5 5l1.5-2.5l5 2v4a2 2 0 0 1-2 2a16 16 0 0 1-15-15a2 2 0 0 1 2-2',
);
export const IconPhoto = icon(
  'M15 8h.01M3 6a3 3 0 0 1 3-3h12a3 3 0 0 1 3 3v12a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3z' +
    'M3 16l5-5c.93-.89 2.07-.89 3 0l5 5M14 14l1-1c.93-.89 2.07-.89 3 0l3 3',
);
export const IconPlus = icon('M12 5l0 14M5 12l14 0');
export const IconSearch = icon('M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0M21 21l-6-6');
export const IconWebhook = icon(
  'M4.876 13.61a4 4 0 1 0 6.124 3.39h6M15.066 20.502a4 4 0 1 0 1.934-7.502c-.706 0-1.424 .179-2 ' +
    '.5l-3-5.5M16 8a4 4 0 1 0-8 0c0 1.506 .77 2.818 2 3.5l-3 5.5',
);
