import { queryOptions } from '@tanstack/react-query';
import { notificationsAnswer } from '#contract/notifications.js';
import { call } from './call.js';

/** Current notifications, critical ones first. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: () => call(notificationsAnswer, { method: 'GET', path: '/api/dashboard/notifications' }),
});
