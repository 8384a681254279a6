import type { Page } from '../page.js';
import { paths } from '../../paths.js';

export const otp: Page = { path: paths.otp, title: 'One-time passwords', description: 'x', intro: [], sections: [] };
