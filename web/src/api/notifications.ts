import { queryOptions } from '@tanstack/react-query';
import { notificationsAnswer } from '#contract/notifications.js';
import { call } from './call.js';

/** What needs attention now, the critical ones first. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: () => call(notificationsAnswer, { method: 'GET', path: '/api/dashboard/notifications' }),
});
