import { paths } from '../paths.js';
import { aboutUs, builtSince, roadmap } from './about.js';

const titles = (isDone: boolean) =>
  roadmap.filter((one) => one.isDone === isDone).map(({ date, what }) => `${date}: ${what}`);

describe('roadmap', () => {
  it('lists the completed items of the product specification', () => {
    expect(titles(true)).toEqual([
      'Nov 2024: Launch in USA and Canada',
      'Jan 2025: India, Germany, UK, Thailand, Australia, Spain, Portugal, Italy, Poland',
      'Feb 2025: Denmark, Ireland, Luxembourg',
      'Mar 2025: Receiving SMS',
      'May 2025: OTP service',
    ]);
  });

  it('lists the planned items of the product specification', () => {
    expect(titles(false)).toEqual([
      'Jun 2025: Dedicated business phone numbers',
      'Sep 2025: Faster delivery',
      'Nov 2025: MMS',
      'Dec 2025: 30+ countries',
    ]);
  });
});

describe('what is said beside the roadmap', () => {
  it('names what has been built of the plan', () => {
    for (const path of [paths.numbers, paths.media, paths.sendSms]) expect(builtSince).toContain(`(${path}`);
    expect(builtSince).not.toContain('late');
  });

  it('names no carrier, as it differs by installation which ones there are', () => {
    expect([...aboutUs, builtSince].join('\n')).not.toMatch(/twilio|telnyx|smpp/i);
  });
});
