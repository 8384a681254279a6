import { highlight } from '../../content/highlight.server.js';
import curl from '../../content/samples/send-sms/curl.sh?raw';
import javascript from '../../content/samples/send-sms/javascript.js?raw';
import nodejs from '../../content/samples/send-sms/nodejs.mjs?raw';
import python from '../../content/samples/send-sms/python.py?raw';
import ruby from '../../content/samples/send-sms/ruby.rb?raw';
import type { HomeSample } from './typed-sample.js';

/** The samples typed on the home page, in picker order. */
export const homeSamples: readonly [HomeSample, ...HomeSample[]] = [
  { language: 'python', code: highlight(python, 'python') },
  { language: 'curl', code: highlight(curl, 'bash') },
  { language: 'ruby', code: highlight(ruby, 'ruby') },
  { language: 'nodejs', code: highlight(nodejs, 'javascript') },
  { language: 'javascript', code: highlight(javascript, 'javascript') },
];
