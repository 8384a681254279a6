import { icon } from '../../ui/line-icons.js';

export const IconBell = icon(
  'M10 5a2 2 0 1 1 4 0a7 7 0 0 1 4 6v3a4 4 0 0 0 2 3h-16a4 4 0 0 0 2-3v-3a7 7 0 0 1 4-6M9 17v1a3 3 0 0 0 6 0v-1',
);
// Tabler's chart-bar.
export const IconChartBar = icon(
  'M3 13a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1zM15 9a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v10a1 1 0 ' +
    '0 1-1 1h-4a1 1 0 0 1-1-1zM9 5a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1zM4 20h14',
);
export const IconCircle = icon('M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0');
export const IconCircleMinus = icon('M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M9 12l6 0');
export const IconClock = icon('M3 12a9 9 0 1 0 18 0a9 9 0 0 0-18 0M12 7v5l3 3');
export const IconFileText = icon(
  'M14 3v4a1 1 0 0 0 1 1h4M17 21h-10a2 2 0 0 1-2-2v-14a2 2 0 0 1 2-2h7l5 5v11a2 2 0 0 1-2 2M9 9l1 0M9 13l6 0M9 17l6 0',
);
export const IconHome = icon(
  'M5 12l-2 0l9-9l9 9l-2 0M5 12v7a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-7M9 21v-6a2 2 0 0 1 2-2h2a2 2 0 0 1 2 2v6',
);
export const IconKey = icon(
  'M16.555 3.843l3.602 3.602a2.877 2.877 0 0 1 0 4.069l-2.643 2.643a2.877 2.877 0 0 1-4.069 ' +
    '0l-.301-.301l-6.558 6.558a2 2 0 0 1-1.239 .578l-.175 .008h-1.172a1 1 0 0 ' +
    '1-.993-.883l-.007-.117v-1.172a2 2 0 0 1 ' +
    '.467-1.284l.119-.13l.414-.414h2v-2h2v-2l2.144-2.144l-.301-.301a2.877 2.877 0 0 1 ' +
    '0-4.069l2.643-2.643a2.877 2.877 0 0 1 4.069 0M15 9h.01',
);
export const IconListDetails = icon(
  'M13 5h8M13 9h5M13 15h8M13 19h5M3 5a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 ' +
    '1-1-1l0-4M3 15a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1l0-4',
);
export const IconLogout = icon(
  'M14 8v-2a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h7a2 2 0 0 0 2-2v-2M9 12h12l-3-3M18 15l3-3',
);
export const IconMessageCircle = icon(
  'M3 20l1.3-3.9c-2.324-3.437-1.426-7.872 2.1-10.374c3.526-2.501 8.59-2.296 11.845 .48c3.255 2.777 ' +
    '3.695 7.266 1.029 10.501c-2.666 3.235-7.615 4.215-11.574 2.293l-4.7 1',
);
export const IconMessages = icon(
  'M21 14l-3-3h-7a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1v10M14 15v2a1 1 0 0 1-1 1h-7l-3 3v-10a1 1 0 0 1 1-1h2',
);
// Tabler's phone.
export const IconPhone = icon(
  'M5 4h4l2 5l-2.500 1.500a11 11 0 0 0 5 5l1.500-2.500l5 2v4a2 2 0 0 1-2 2a16 16 0 0 1-15-15a2 2 0 0 1 2-2',
);
export const IconPlayerPause = icon(
  'M6 6a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1l0-12M14 6a1 1 0 0 1 1-1h2a1 1 ' +
    '0 0 1 1 1v12a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1l0-12',
);
// Tabler's plug-connected.
export const IconPlugConnected = icon(
  'M7 12l5 5l-1.500 1.500a3.536 3.536 0 1 1-5-5l1.500-1.500M17 12l-5-5l1.500-1.500a3.536 3.536 0 1 1 5 5l-1.500 1.500' +
    'M3 21l2.500-2.500M18.500 5.500l2.500-2.500M10 11l-2 2M13 14l-2 2',
);
export const IconReceipt = icon(
  'M5 21v-16a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v16l-3-2l-2 2l-2-2l-2 2l-2-2l-3 2m4-14h6m-6 4h6m-2 4h2',
);
export const IconSend = icon('M10 14l11-11M21 3l-6.5 18a.55 .55 0 0 1-1 0l-3.5-7l-7-3.5a.55 .55 0 0 1 0-1l18-6.5');
export const IconShieldLock = icon(
  'M12 3a12 12 0 0 0 8.5 3a12 12 0 0 1-8.5 15a12 12 0 0 1-8.5-15a12 12 0 0 0 8.5-3M11 11a1 1 0 1 0 2 ' +
    '0a1 1 0 1 0-2 0M12 12l0 2.5',
);
export const IconTicket = icon(
  'M15 5l0 2M15 11l0 2M15 17l0 2M5 5h14a2 2 0 0 1 2 2v3a2 2 0 0 0 0 4v3a2 2 0 0 1-2 2h-14a2 2 0 0 ' +
    '1-2-2v-3a2 2 0 0 0 0-4v-3a2 2 0 0 1 2-2',
);
export const IconUser = icon('M8 7a4 4 0 1 0 8 0a4 4 0 0 0-8 0M6 21v-2a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4v2');
export const IconWebhook = icon(
  'M4.876 13.61a4 4 0 1 0 6.124 3.39h6M15.066 20.502a4 4 0 1 0 1.934-7.502c-.706 0-1.424 .179-2 .5l-3-5.5M16 8a4 4 0 ' +
    '1 0-8 0c0 1.506 .77 2.818 2 3.5l-3 5.500',
);
export const IconUsersGroup = icon(
  'M10 13a2 2 0 1 0 4 0a2 2 0 0 0-4 0M8 21v-1a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v1M15 5a2 2 0 1 0 4 0a2 2 ' +
    '0 0 0-4 0M17 10h2a2 2 0 0 1 2 2v1M5 5a2 2 0 1 0 4 0a2 2 0 0 0-4 0M3 13v-1a2 2 0 0 1 2-2h2',
);
