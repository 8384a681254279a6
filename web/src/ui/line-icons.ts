import { createElement } from 'react';

interface IconProps {
  readonly size?: number;
  /** Width of the lines in units of the icon, which is 24 wide. */
  readonly stroke?: number;
  readonly className?: string | undefined;
  readonly 'aria-hidden'?: boolean | 'true';
}

/**
 * A line icon of Tabler Icons 3.51 (https://tabler.io/icons, MIT license, copyright Paweł Kuna):
 * all its paths joined, in the text's color.
 */
export function icon(path: string) {
  return ({ size = 24, stroke = 2, ...rest }: IconProps) => {
    const look = { fill: 'none', stroke: 'currentColor', strokeWidth: stroke } as const;
    const ends = { strokeLinecap: 'round', strokeLinejoin: 'round' } as const;
    const frame = { width: size, height: size, viewBox: '0 0 24 24' };
    return createElement('svg', { ...frame, ...look, ...ends, ...rest }, createElement('path', { d: path }));
  };
}

export const IconAlertCircle = icon('M3 12a9 9 0 1 0 18 0a9 9 0 0 0-18 0M12 8v4M12 16h.01');
export const IconAlertTriangle = icon(
  'M12 9v4M10.363 3.591l-8.106 13.534a1.914 1.914 0 0 0 1.636 2.871h16.214a1.914 1.914 0 0 0 ' +
    '1.636-2.87l-8.106-13.536a1.914 1.914 0 0 0-3.274 0M12 16h.01',
);
export const IconArrowsExchange = icon('M7 10h14l-4-4M17 14h-14l4 4');
export const IconCheck = icon('M5 12l5 5l10-10');
export const IconChecks = icon('M7 12l5 5l10-10M2 12l5 5m5-5l5-5');
export const IconChevronDown = icon('M6 9l6 6l6-6');
export const IconChevronRight = icon('M9 6l6 6l-6 6');
export const IconChevronUp = icon('M6 15l6-6l6 6');
export const IconCircleCheck = icon('M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M9 12l2 2l4-4');
export const IconCircleDashed = icon(
  'M8.56 3.69a9 9 0 0 0-2.92 1.95M3.69 8.56a9 9 0 0 0-.69 3.44M3.69 15.44a9 9 0 0 0 1.95 2.92M8.56 ' +
    '20.31a9 9 0 0 0 3.44 .69M15.44 20.31a9 9 0 0 0 2.92-1.95M20.31 15.44a9 9 0 0 0 .69-3.44M20.31 ' +
    '8.56a9 9 0 0 0-1.95-2.92M15.44 3.69a9 9 0 0 0-3.44-.69',
);
export const IconCircleX = icon('M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M10 10l4 4m0-4l-4 4');
export const IconCoins = icon(
  'M9 14c0 1.657 2.686 3 6 3s6-1.343 6-3s-2.686-3-6-3s-6 1.343-6 3M9 14v4c0 1.656 2.686 3 6 3s6-1.344 ' +
    '6-3v-4M3 6c0 1.072 1.144 2.062 3 2.598s4.144 .536 6 0c1.856-.536 3-1.526 ' +
    '3-2.598c0-1.072-1.144-2.062-3-2.598s-4.144-.536-6 0c-1.856 .536-3 1.526-3 2.598M3 6v10c0 .888 .772 ' +
    '1.45 2 2M3 11c0 .888 .772 1.45 2 2',
);
export const IconCopy = icon(
  'M7 9.667a2.667 2.667 0 0 1 2.667-2.667h8.666a2.667 2.667 0 0 1 2.667 2.667v8.666a2.667 2.667 0 0 ' +
    '1-2.667 2.667h-8.666a2.667 2.667 0 0 1-2.667-2.667l0-8.666M4.012 16.737a2.005 2.005 0 0 ' +
    '1-1.012-1.737v-10c0-1.1 .9-2 2-2h10c.75 0 1.158 .385 1.5 1',
);
export const IconDeviceDesktop = icon(
  'M3 5a1 1 0 0 1 1-1h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-16a1 1 0 0 1-1-1v-10M7 20h10M9 16v4M15 16v4',
);
export const IconDots = icon(
  'M4 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M18 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0',
);
export const IconFile = icon(
  'M14 3v4a1 1 0 0 0 1 1h4M17 21h-10a2 2 0 0 1-2-2v-14a2 2 0 0 1 2-2h7l5 5v11a2 2 0 0 1-2 2',
);
export const IconEye = icon(
  'M10 12a2 2 0 1 0 4 0a2 2 0 0 0-4 0M21 12c-2.4 4-5.4 6-9 6c-3.6 0-6.6-2-9-6c2.4-4 5.4-6 9-6c3.6 0 6.6 2 9 6',
);
export const IconEyeOff = icon(
  'M10.585 10.587a2 2 0 0 0 2.829 2.828M16.681 16.673a8.717 8.717 0 0 1-4.681 1.327c-3.6 ' +
    '0-6.6-2-9-6c1.272-2.12 2.712-3.678 4.32-4.674m2.86-1.146a9.055 9.055 0 0 1 1.82-.18c3.6 0 6.6 2 9 ' +
    '6c-.666 1.11-1.379 2.067-2.138 2.87M3 3l18 18',
);
export const IconFilter = icon('M4 6h16M7 12h10M10 18h4');
export const IconHash = icon('M5 9l14 0M5 15l14 0M11 4l-4 16M17 4l-4 16');
export const IconHelpCircle = icon(
  'M3 12a9 9 0 1 0 18 0a9 9 0 0 0-18 0M12 16v.01M12 13a2 2 0 0 0 .914-3.782a1.98 1.98 0 0 0-2.414 .483',
);
export const IconInfoCircle = icon('M3 12a9 9 0 1 0 18 0a9 9 0 0 0-18 0M12 9h.01M11 12h1v4h1');
export const IconMenu2 = icon('M4 6l16 0M4 12l16 0M4 18l16 0');
export const IconMinus = icon('M5 12l14 0');
export const IconMoon = icon('M12 3c.132 0 .263 0 .393 0a7.5 7.5 0 0 0 7.92 12.446a9 9 0 1 1-8.313-12.454l0 .008');
export const IconPhoto = icon(
  'M15 8h.01M3 6a3 3 0 0 1 3-3h12a3 3 0 0 1 3 3v12a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3zM3 16l5-5c.93-.89 2.07-.89 3 0l5 5' +
    'M14 14l1-1c.93-.89 2.07-.89 3 0l3 3',
);
export const IconSearch = icon('M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0M21 21l-6-6');
export const IconSun = icon(
  'M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M3 12h1m8-9v1m8 8h1m-9 8v1m-6.4-15.4l.7 .7m12.1-.7l-.7 .7m0 ' +
    '11.4l.7 .7m-12.1-.7l-.7 .7',
);
export const IconTerminal2 = icon(
  'M8 9l3 3l-3 3M13 15l3 0M3 6a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2l0-12',
);
export const IconX = icon('M18 6l-12 12M6 6l12 12');
