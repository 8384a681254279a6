import { dashboardPaths } from '../../../build/pages.js';
import { conversationPath, numberPath, paths, recordPath } from '../../paths.js';
import { titleAt, viewAt, views } from './views.js';

describe('the views of the dashboard', () => {
  it('contain every dashboard page; a message page belongs to the history, a conversation to the conversations', () => {
    const inMenu = views.map(([, path]): string => path);
    for (const path of dashboardPaths) expect(inMenu).toContain(viewAt(path));
  });

  it.each([
    [paths.dashboard, 'Dashboard'],
    [`${paths.dashboard}/`, 'Dashboard'],
    [paths.dashboardBilling, 'Billing History'],
    [paths.dashboardMessage, 'SMS History'],
    [recordPath('SM1'), 'SMS History'],
    [paths.dashboardConversations, 'Conversations'],
    [conversationPath('+14155552671'), 'Conversations'],
    [paths.dashboardNumbers, 'Numbers'],
    [numberPath('num_1'), 'Numbers'],
    [paths.dashboardConnect, 'Connect'],
    [paths.dashboardBulk, 'Send in Bulk'],
    ['/dashboard/nowhere', 'Dashboard'],
  ])('%s is called %s', (path, title) => {
    expect(titleAt(path)).toBe(title);
  });
});
