import { expect, type Locator, type Page } from '@playwright/test';
import { ask } from '../../tools/testkit/ask.js';
import { until } from '../../tools/testkit/until.js';
import { test } from '../testing/product.js';
import { signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { Visitor } from '../testing/visitor.js';
import { WebhookReceiver } from '../testing/webhook-receiver.js';

/**
 * The specification's section "Screens and routes", in its order: each sentence stands as it is
 * written there above what checks it, in a real browser. Where a later decision of the customer
 * changed a sentence, the decision stands beside it.
 */
const says = (sentence: string, check: () => Promise<void>) => test.step(sentence, check);

const RED = 'rgb(179, 38, 30)';
const HEADING = 'Send and Receive SMS with our simple API';

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

const main = (page: Page) => page.getByRole('main');
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const toast = (page: Page, text: string) => expect(page.getByRole('alert').filter({ hasText: text })).toHaveText(text);
const menuLinks = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link');

test('Route table', async ({ page, browser }) => {
  const open = async (path: string) => (await page.goto(`${stack.url}${path}`))?.status();
  const shows = async (path: string, title: string, check: () => Promise<void> = () => Promise.resolve()) => {
    expect(await open(path)).toBe(200);
    await expect(page).toHaveURL(`${stack.url}${path}`);
    await expect(heading(page)).toHaveText(title);
    await expect(menuLinks(page)).toHaveCount(6);
    await check();
  };
  const effective = () => expect(main(page).getByText('Effective 1 Nov 2024')).toBeVisible();
  await says('/ | Home', () => shows('/', HEADING));
  await says('/login | Login', () => shows('/login', 'Login'));
  await says('/signup | Sign Up (unfinished)', () => shows('/signup', 'Sign Up'));
  await says('/docs | Documentation', () => shows('/docs', 'Documentation'));
  await says('/pricing | Pricing', () => shows('/pricing', 'Pricing'));
  await says('/faq | FAQ', () => shows('/faq', 'Questions and answers'));
  await says('/about | About and roadmap', () => shows('/about', 'About Pennytext'));
  await says('/privacy | Privacy text, effective 1 Nov 2024', () => shows('/privacy', 'Privacy Policy', effective));
  await says('/tos | Terms of Service, effective 1 Nov 2024', () => shows('/tos', 'Terms of Service', effective));
  await says('/regions | Credits by country', () => shows('/regions', 'Supported Regions'));
  await says('/otp | OTP Verification documentation', () => shows('/otp', 'OTP Verification'));
  await says('/dashboard | Dashboard if signed in, otherwise redirect to /login', async () => {
    await open('/dashboard');
    await expect(page).toHaveURL(`${stack.url}/login`);
    const { page: dashboard } = await signIn(browser, stack);
    await expect(dashboard).toHaveURL(`${stack.url}/dashboard`);
    await says('/dashboardpage | Redirects to /dashboard', async () => {
      await dashboard.goto(`${stack.url}/dashboardpage`);
      await expect(dashboard).toHaveURL(`${stack.url}/dashboard`);
    });
    await dashboard.context().close();
  });
  await says("any other path | 404 page reading 'Page not found.'", async () => {
    for (const path of ['/nothing', '/docs/nothing', '/pricing/nothing']) {
      expect(await open(path)).toBe(404);
      await expect(heading(page)).toHaveText('Page not found.');
    }
  });
  await says('A shared header shows on all public routes.', () => expect(menuLinks(page)).toHaveCount(6));
});

test('Header', async ({ page }) => {
  const toggle = page.getByRole('button', { name: 'Menu' });
  await page.setViewportSize({ width: 769, height: 800 });
  await page.goto(`${stack.url}/docs`);
  await says('Sticky top bar.', async () => {
    await page.mouse.wheel(0, 3_000);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
    await expect(page.getByRole('banner')).toBeInViewport();
  });
  await says('Links go to otp, pricing, docs, faq, about, login.', async () => {
    const links = await menuLinks(page).evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual(['/otp', '/pricing', '/docs', '/faq', '/about', '/login']);
  });
  await says('Above 768px the menu is always open.', async () => {
    await expect(toggle).toBeHidden();
    for (const link of await menuLinks(page).all()) await expect(link).toBeVisible();
  });
  await says('The logo links home.', async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Pennytext' }).click();
    await expect(page).toHaveURL(`${stack.url}/`);
  });
  await says('At widths of 768px or less the links collapse behind a menu toggle button.', async () => {
    for (const width of [768, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(menuLinks(page)).toHaveCount(0);
      await toggle.click();
      await expect(menuLinks(page)).toHaveCount(6);
      await toggle.click();
      await expect(menuLinks(page)).toHaveCount(0);
    }
  });
  await says('Choosing a link closes the menu.', async () => {
    await toggle.click();
    await menuLinks(page).filter({ hasText: 'FAQ' }).click();
    await expect(page).toHaveURL(`${stack.url}/faq`);
    await expect(menuLinks(page)).toHaveCount(0);
  });
});

test('Home', async ({ page }) => {
  await page.clock.install();
  await page.goto(stack.url);
  await says("Heading 'Send and Receive SMS with our simple API'.", () => expect(heading(page)).toHaveText(HEADING));
  await says('Language picker: python, curl, ruby, nodejs, javascript.', async () => {
    const names = await page
      .getByRole('radio')
      .evaluateAll((radios) =>
        radios.map((radio) => (radio instanceof HTMLInputElement ? radio.labels?.[0]?.textContent?.trim() : '')),
      );
    expect(names).toEqual(['python', 'curl', 'ruby', 'nodejs', 'javascript']);
  });
  await says(
    'It shows a typewriter-animated sample for the chosen language, one character every 20 ms, restarting when the ' +
      'language changes.',
    async () => {
      await page.clock.pauseAt(Date.now() + 5_000);
      for (const language of ['curl', 'ruby', 'nodejs', 'javascript', 'python']) {
        await page.getByRole('radio', { name: language, exact: true }).check();
        let before = 0;
        for (const characters of [10, 20, 30]) {
          await page.clock.runFor(200);
          const { length } = await typedText(page);
          // A frame more or less.
          expect(Math.abs(length - characters)).toBeLessThanOrEqual(1);
          expect(length).toBeGreaterThan(before);
          before = length;
        }
      }
      await page.clock.resume();
    },
  );
  await says("Buttons 'Login to Buy Credits' (to /login) and 'View Full Documentation' (to /docs).", async () => {
    await expect(main(page).getByRole('link', { name: 'Login to Buy Credits' })).toHaveAttribute('href', '/login');
    await expect(main(page).getByRole('link', { name: 'View Full Documentation' })).toHaveAttribute('href', '/docs');
  });
  await says('A country list and a note that new users get 3 free credits.', async () => {
    const countries = page.getByRole('region', { name: 'Send to 14 countries' }).getByRole('listitem');
    await expect(countries).toHaveCount(14);
    for (const country of (
      'USA, Canada, India, Germany, UK, Thailand, Australia, Spain, Portugal, Italy, Denmark, Ireland, Luxembourg, ' +
      'Poland'
    ).split(', '))
      await expect(countries.filter({ hasText: country })).toBeVisible();
    await expect(page.getByText('New users get 3 free credits.')).toBeVisible();
  });
  await says('Footer links: Privacy Policy and Terms of Service.', async () => {
    const footer = page.getByRole('contentinfo');
    await expect(footer.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy');
    await expect(footer.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/tos');
  });
});

test('Docs', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${stack.url}/docs`);
  const menu = page.getByRole('navigation', { name: 'Documentation' });
  const languages = ['Curl', 'Python', 'PHP', 'Ruby', 'NodeJs', 'Javascript', 'C#', 'Java'];
  await says(
    'Side menu pages: overview; Send an SMS using HTTP POST; Send an SMS (expandable sub-list: Curl, Python, PHP, ' +
      'Ruby, NodeJs, Javascript, C#, Java); Response Received; Testing the API; Receiving SMS Replies; Supported ' +
      'Regions (links to /regions).',
    async () => {
      const group = menu.locator('section:visible').first();
      expect(await group.locator(':scope > ul > li').evaluateAll((items) => items.map(titleOf))).toEqual([
        'Overview',
        'Send an SMS using HTTP POST',
        'Send an SMS',
        'Response Received',
        'Testing the API',
        'Receiving SMS Replies',
        'Supported Regions',
      ]);
      const curl = group.getByRole('link', { name: 'Curl', exact: true });
      await expect(curl).toBeHidden();
      await group.getByText('Send an SMS', { exact: true }).click();
      await expect(curl).toBeVisible();
      await expect(group.locator('details li')).toHaveText(languages);
      await expect(group.getByRole('link', { name: 'Supported Regions' })).toHaveAttribute('href', '/regions');
    },
  );
  await says(
    "Each code sample page has a copy-to-clipboard button that alerts 'Code copied to clipboard!'.",
    async () => {
      const links = await menu
        .locator('section:visible')
        .first()
        .locator('details a')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
      expect(links).toHaveLength(languages.length);
      for (const link of links) {
        await page.goto(`${stack.url}${link}`);
        await page
          .getByRole('button', { name: /^Copy: / })
          .first()
          .click();
        await toast(page, 'Code copied to clipboard!');
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        expect(copied).toContain(`${stack.url}/api/sendsms`);
      }
    },
  );
  await says('The page title changes per section.', async () => {
    const links = await menu.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    const paths = [...new Set(links)].filter((path) => path.startsWith('/docs'));
    expect(paths.length).toBeGreaterThan(10);
    const titles: string[] = [];
    for (const path of paths) {
      const html = await (await page.request.get(`${stack.url}${path}`)).text();
      titles.push(/<title>(.*?)<\/title>/.exec(html)?.[1] ?? '');
    }
    expect(new Set(titles).size).toBe(paths.length);
    await menu.getByRole('link', { name: 'Testing the API' }).click();
    await expect(page).toHaveTitle('Testing the API – Pennytext');
  });
});

test('Pricing', async ({ page }) => {
  await page.goto(`${stack.url}/pricing`);
  await says(
    "Five cards (Starter, Basic, Pro, Enterprise, Custom via contact sales) and two buttons: 'Login to Buy Credits' (to " +
      "/login) and 'View SMS Credits by Country' (to /regions).",
    async () => {
      await expect(main(page).getByRole('heading', { level: 2 })).toHaveText([
        'Starter',
        'Basic',
        'Pro',
        'Enterprise',
        'Custom',
      ]);
      await expect(main(page).getByRole('link', { name: 'Contact sales' })).toHaveAttribute('href', /^mailto:/);
      await expect(page.getByRole('link', { name: 'Login to Buy Credits' })).toHaveAttribute('href', '/login');
      await expect(page.getByRole('link', { name: 'View SMS Credits by Country' })).toHaveAttribute('href', '/regions');
    },
  );
  await says(
    'A note says card payments are handled by a card payment provider, are not stored, are a one-time charge and bind ' +
      'the buyer to the Terms of Service.',
    async () => {
      const note = main(page).getByText(/Card payments are handled by .*card payment provider/);
      await expect(note).toContainText('not stored');
      await expect(note).toContainText('one-time charge');
      await expect(note.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/tos');
    },
  );
});

test('FAQ', async ({ page }) => {
  await page.goto(`${stack.url}/faq`);
  const questions = main(page).locator('details');
  const open = main(page).locator('details[open]');
  await says('Accordion.', () => expect(questions).toHaveCount(12));
  await says('Clicking a question opens or closes its answer and only one is open at a time.', async () => {
    await expect(open).toHaveCount(0);
    for (let index = 0; index < 12; index += 1) {
      const question = questions.nth(index);
      await question.locator('summary').click();
      await expect(open).toHaveCount(1);
      await expect(question.locator('p').first()).toBeVisible();
    }
    await questions.nth(11).locator('summary').click();
    await expect(open).toHaveCount(0);
  });
  await says(
    'Topics: what the service is, getting started by Google sign-in and generating an API key from the dashboard, cost, ' +
      'free trial, daily limit, worldwide support, multiple credits per SMS, receiving SMS, credit for received SMS, ' +
      'OTP service, support, privacy.',
    async () => {
      const topics = [
        /What is Pennytext/,
        /Google[^]*API key[^]*dashboard/,
        /cost/,
        /free trial/,
        /daily limit/,
        /all over the world/,
        /several credits/,
        /receive messages/,
        /received message cost/,
        /one-time passwords/,
        /support/,
        /my data/,
      ];
      expect(await questions.evaluateAll((all) => all.map((one) => one.textContent))).toEqual(
        topics.map((topic) => expect.stringMatching(topic)),
      );
    },
  );
});

test('About', async ({ page }) => {
  await page.goto(`${stack.url}/about`);
  const steps = main(page).getByRole('list').getByRole('listitem');
  await says('Company text, a roadmap timeline and links to privacy and terms.', async () => {
    await expect(main(page).getByText('for developers and small businesses').first()).toBeVisible();
    await expect(main(page).getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy');
    await expect(main(page).getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/tos');
    await expect(steps).toHaveCount(9);
  });
  const stands = async (state: string, sentence: string) => {
    const [, month = '', what = ''] = /^(.*?): (.*)\.$/.exec(sentence) ?? [];
    const step = steps.filter({ hasText: month });
    await expect(step).toHaveText(new RegExp(`^${month} ${state}\\s*${what.replace('+', '\\+')}$`, 'i'));
  };
  for (const sentence of [
    'Nov 2024: launch in USA and Canada.',
    'Jan 2025: India, Germany, UK, Thailand, Australia, Spain, Portugal, Italy, Poland.',
    'Feb 2025: Denmark, Ireland, Luxembourg.',
    'Mar 2025: receiving SMS.',
    'May 2025: OTP service.',
  ])
    await says(`Completed roadmap items: ${sentence}`, () => stands('Completed', sentence));
  for (const sentence of [
    'Jun 2025: dedicated business phone numbers.',
    'Sep 2025: faster delivery.',
    'Nov 2025: MMS.',
    'Dec 2025: 30+ countries.',
  ])
    await says(`Planned, not completed: ${sentence}`, () => stands('Planned', sentence));
});

test('Login', async ({ page }) => {
  await page.goto(`${stack.url}/login`);
  const google = page.getByRole('link', { name: 'Sign In with Google' });
  await says("A 'Sign In with Google' button.", () => expect(google).toBeVisible());
  await says(
    "A username and password form is shown but disabled, with the notice 'Custom sign-in is currently unavailable. Use " +
      "Sign in with Google.'",
    async () => {
      const notice = 'Custom sign-in is currently unavailable. Use Sign in with Google.';
      await expect(page.getByText(notice, { exact: true })).toBeVisible();
      for (const label of [/^Username/, 'Password']) {
        await expect(page.getByLabel(label)).toBeVisible();
        await expect(page.getByLabel(label)).toBeDisabled();
      }
    },
  );
  await says('A disabled Sign Up button is also shown.', async () => {
    await expect(page.getByRole('button', { name: 'Sign Up' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign Up' })).toBeDisabled();
  });
  await says("Two hidden panels ('Vertical Login', 'Vertical Custom Login') are never shown.", () =>
    expect(page.getByText(/Vertical/)).toHaveCount(0),
  );
  await says(
    "After success the user goes to the dashboard, carrying the user's id, email and display name.",
    async () => {
      await google.click();
      await page.getByRole('listitem').first().getByRole('button').click();
      await expect(page).toHaveURL(`${stack.url}/dashboard`);
      const me = (await (await page.request.get(`${stack.url}/auth/me`)).json()) as Record<string, string>;
      expect(me).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email: expect.stringContaining('@'),
        displayName: expect.stringMatching(/./),
      });
      await expect(page.getByText(`Welcome, ${me['displayName']}`)).toBeVisible();
    },
  );
});

test('Sign Up (unfinished)', async ({ page }) => {
  await page.goto(`${stack.url}/signup`);
  const fill = async (fields: Record<string, string>) => {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
    await page.getByRole('button', { name: 'Sign Up' }).click();
  };
  await says('Username, email and password fields, a Sign Up button and an error line.', async () => {
    for (const label of ['Username', 'Email', 'Password']) await expect(page.getByLabel(label)).toBeEditable();
    await fill({});
    await expect(page.getByRole('alert')).toHaveText('All fields are mandatory');
  });
  await says("Email must look like {email} ('Please enter a valid email address').", async () => {
    for (const email of ['ada', 'ada@nowhere', 'a da@example.com', 'ada@@example.com']) {
      await fill({ Username: 'Ada', Email: email, Password: 'weak' });
      await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address');
    }
  });
  await says(
    "Password at least 8 characters from letters, digits and @$!%*?& ('Password must be at least 8 characters. Use 1 " +
      "uppercase, 1 lowercase, 1 number, and 1 special character.').",
    async () => {
      // Which characters these are is beside the field, before anything is wrong.
      await expect(page.getByText('Allowed: A to Z, a to z, 0 to 9, and @ $ ! % * ? &')).toBeVisible();
      for (const password of ['Ab1!xyz', 'abcdef1!', 'ABCDEF1!', 'Abcdefg!', 'Abcdefg1', 'Abcdef1!#']) {
        await fill({ Email: 'ada@example.com', Password: password });
        await expect(page.getByLabel('Password')).toHaveAccessibleDescription(
          'Password must be at least 8 characters. Use 1 uppercase, 1 lowercase, 1 number, and 1 special character.',
        );
      }
    },
  );
  // Decided later: the account is created first, and while custom sign-in is off nothing is created.
  await says(
    'It uses a fixed placeholder user id and navigates to the dashboard before validation completes.',
    async () => {
      await fill({ Password: 'Analytical1!' });
      await expect(page.getByRole('alert')).toHaveText(
        'Custom sign-in is currently unavailable. Use Sign in with Google.',
      );
      await expect(page).toHaveURL(`${stack.url}/signup`);
    },
  );
});

test('Dashboard', async ({ browser }) => {
  const { page, name } = await signIn(browser, stack);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const apiKey = page.getByRole('banner').getByRole('group', { name: 'API Key' });
  await says(
    'Sidebar: Home, Billing History, SMS History, Purchase Credits, Redeem Code, Logout (signs out and goes to /).',
    async () => {
      const entries = await page
        .getByRole('navigation', { name: 'Dashboard' })
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.textContent?.trim()));
      // Decided later: in this order and first, with other entries below, and Logout last.
      expect(entries.slice(0, 5)).toEqual([
        'Home',
        'Billing History',
        'SMS History',
        'Purchase Credits',
        'Redeem Code',
      ]);
      await expect(page.getByRole('button', { name: 'Logout' })).toBeInViewport();
    },
  );
  await says(
    "Header: 'Welcome, {display name}' and the API key, masked by default, with a show/hide toggle and a copy button that " +
      "alerts 'API Key copied to clipboard!'.",
    async () => {
      await expect(page.getByRole('banner').getByText(`Welcome, ${name}`)).toBeVisible();
      const key = apiKey.locator('code');
      await expect(key).toHaveText(/^[•-]+[0-9a-f]{4}$/);
      await apiKey.getByRole('button', { name: 'Show API Key' }).click();
      await expect(key).toHaveText(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      const shown = await key.innerText();
      await apiKey.getByRole('button', { name: /^(Show|Hide) API Key$/ }).click();
      await expect(key).toHaveText(/^[•-]+[0-9a-f]{4}$/);
      await apiKey.getByRole('button', { name: 'Copy API Key' }).click();
      await toast(page, 'API Key copied to clipboard!');
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
    },
  );
  await says(
    'Home view: three cards (Total Credits Purchased, Total Credits Used, Total Credits Balance) and a field ' +
      "'Webhook URL to Receive SMS' with an Update button.",
    async () => {
      const tops: number[] = [];
      for (const [title, value] of [
        ['Total Credits Purchased', '3'],
        ['Total Credits Used', '0'],
        ['Total Credits Balance', '3'],
      ] as const) {
        const card = main(page).locator('dl > div', { hasText: title });
        await expect(card.locator('dd').first()).toHaveText(value);
        tops.push((await card.boundingBox())?.y ?? 0);
      }
      const field = page.getByLabel('Webhook URL to Receive SMS');
      await expect(field).toBeInViewport();
      // Decided later: the cards, then this field, before everything else.
      expect((await field.boundingBox())?.y ?? 0).toBeGreaterThan(Math.max(...tops));
      await expect(page.getByRole('button', { name: 'Update' })).toBeVisible();
    },
  );
  await says("Update alerts 'Webhook URL updated successfully!'.", async () => {
    await page.getByLabel('Webhook URL to Receive SMS').fill('https://example.com/sms');
    await page.getByRole('button', { name: 'Update' }).click();
    await toast(page, 'Webhook URL updated successfully!');
  });
  await says('A link to the docs.', () =>
    expect(main(page).getByRole('link', { name: 'View Full Documentation' })).toHaveAttribute('href', '/docs'),
  );
  await says("Loading: 'Loading...'.", async () => {
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/auth/me', async (route) => {
      await asked;
      await route.continue();
    });
    await page.reload();
    await expect(page.getByRole('banner').getByText('Loading...')).toBeVisible();
    answer();
    await expect(page.getByText(`Welcome, ${name}`)).toBeVisible();
    await page.unroute('**/auth/me');
  });
  await says("Unauthenticated: 'Please log in to view the dashboard.'", async () => {
    await page.route('**/auth/me', (route) =>
      route.fulfill({
        status: 401,
        json: { success: 'false', error: 'Please log in.', code: 'not_signed_in', detail: '' },
      }),
    );
    await page.reload();
    await expect(page.getByText('Please log in to view the dashboard.')).toBeVisible();
    await page.unroute('**/auth/me');
  });
  await says('Logout (signs out and goes to /).', async () => {
    await page.goto(`${stack.url}/dashboard`);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(`${stack.url}/`);
    expect((await page.request.get(`${stack.url}/auth/me`)).status()).toBe(401);
  });
  await page.context().close();
});

test('Purchase, billing and redeem', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  const buyer = Visitor.of(stack, page.request);
  const popup = page.getByRole('dialog');
  await says("Empty text: 'No billing history available.'", async () => {
    await page.goto(`${stack.url}/dashboard/billing`);
    await expect(page.getByText('No billing history available.', { exact: true })).toBeVisible();
  });
  await says(
    'Purchase Credits view: list of supported regions and four packs: Starter $3 for 50 credits, Basic $10 for 250, ' +
      'Pro $30 for 1000, Enterprise $50 for 2500.',
    async () => {
      await page.goto(`${stack.url}/dashboard/purchase`);
      await expect(page.getByRole('region', { name: 'Supported Regions' }).getByRole('listitem')).toHaveCount(14);
      const packs = page.getByRole('list', { name: 'Packs' }).getByRole('listitem');
      for (const [pack, price, credits] of [
        ['Starter', '$3', '50 credits'],
        ['Basic', '$10', '250 credits'],
        ['Pro', '$30', '1,000 credits'],
        ['Enterprise', '$50', '2,500 credits'],
      ] as const) {
        const card = packs.filter({ has: page.getByRole('heading', { name: pack, exact: true }) });
        await expect(card.getByText(price, { exact: true })).toBeVisible();
        await expect(card.getByText(credits, { exact: true })).toBeVisible();
      }
    },
  );
  await says(
    "Purchase result popup: success 'Your purchase of {n} credits was successful!'; failure 'Your purchase could not be " +
      "completed. Please try again.'",
    async () => {
      await page.getByRole('button', { name: 'Buy Starter' }).click();
      await page.getByRole('button', { name: /^Pay / }).click();
      await expect(popup).toContainText('Your purchase of 50 credits was successful!');
      await expect(page).toHaveURL(`${stack.url}/dashboard`);
      await popup.getByRole('button', { name: 'Close' }).click();
      await page.goto(`${stack.url}/dashboard?transaction=failed`);
      await expect(popup).toContainText('Your purchase could not be completed. Please try again.');
      await expect(page).toHaveURL(`${stack.url}/dashboard`);
    },
  );
  await says('Both have a Close button.', async () => {
    await popup.getByRole('button', { name: 'Close' }).click();
    await expect(popup).toHaveCount(0);
  });
  await says(
    'Billing History view: table with Date, Amount (with $), Credits Purchased, Payment Method; Previous and Next buttons.',
    async () => {
      for (let n = 0; n < 10; n += 1) {
        const { sessionId, page: checkout } = await buyer.checkout('basic');
        await buyer.pay(checkout, '4242 4242 4242 4242', email);
        await buyer.cameBack(sessionId);
      }
      await page.goto(`${stack.url}/dashboard/billing`);
      await expect(page.getByRole('columnheader')).toHaveText([
        'Date',
        'Amount',
        'Credits Purchased',
        'Payment Method',
      ]);
      const rows = main(page).getByRole('row');
      // The table's page has ten rows, below its head.
      await expect(rows).toHaveCount(11);
      await expect(rows.nth(1)).toContainText(/\$10.*250.*Stripe Payment/);
      await page.getByRole('button', { name: 'Next' }).click();
      await expect(rows).toHaveCount(2);
      await expect(rows.nth(1)).toContainText(/\$3.*50.*Stripe Payment/);
      await page.getByRole('button', { name: 'Previous' }).click();
      await expect(rows).toHaveCount(11);
    },
  );
  await says("Redeem Code view: a code input and a Redeem button that reads 'Loading...' while working.", async () => {
    await page.goto(`${stack.url}/dashboard/redeem`);
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/redeemcode', async (route) => {
      await asked;
      await route.continue();
    });
    await page.getByLabel('Code', { exact: true }).fill('NOPE-NOPE');
    await page.getByRole('button', { name: 'Redeem', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Loading...' })).toBeDisabled();
    answer();
  });
  await says('The result message is shown in red.', async () => {
    await expect(page.getByText('This code is not valid.')).toHaveCSS('color', RED);
    await page.unroute('**/api/redeemcode');
    const { code } = (await stack.admin('code', 'create', '--credits', '25')) as { code: string };
    await page.getByLabel('Code', { exact: true }).fill(code);
    await page.getByRole('button', { name: 'Redeem', exact: true }).click();
    await expect(page.getByText('25 credits were added to your account.')).toHaveCSS('color', RED);
  });
  await page.context().close();
});

for (const width of [1280, 390])
  test(`SMS History at ${width} px`, async ({ browser }) => {
    const receiver = await WebhookReceiver.start({ failures: 0, answerAfterMs: 0 });
    const { page } = await signIn(browser, stack, { width });
    const person = Visitor.of(stack, page.request);
    const open = async (tab: 'SMS Sent' | 'SMS Received') => {
      await page.goto(`${stack.url}/dashboard/messages`);
      await page.getByRole('tab', { name: tab }).click();
    };
    await says("SMS History view: tabs 'SMS Sent' and 'SMS Received'.", async () => {
      await open('SMS Sent');
      await expect(page.getByRole('tab')).toHaveText([/^SMS Sent/, /^SMS Received/]);
      await page.goto(`${stack.url}/dashboard/messages`);
      await expect(page.getByRole('tab', { name: 'SMS Sent' })).toHaveAttribute('aria-selected', 'true');
    });
    await says("Empty texts: 'No sent SMS history available.' and 'No received SMS history available.'", async () => {
      await expect(page.getByText('No sent SMS history available.')).toBeVisible();
      await open('SMS Received');
      await expect(page.getByText('No received SMS history available.')).toBeVisible();
    });
    const thirty = 'exactly thirty characters long';
    const more = `${thirty}!`;
    const apikey = await person.apiKey();
    expect((await person.call('PUT', '/api/dashboard/webhook-url', { webhookUrl: receiver.url })).ok()).toBe(true);
    const to = `+1415555${width === 390 ? '0161' : '0162'}`;
    const ids = new Map<string, string>();
    for (const message of [thirty, more]) {
      const outcome = await stack.api.send({ to, message, apikey });
      if (outcome.kind !== 'accepted') throw new Error(`Not accepted: ${JSON.stringify(outcome)}`);
      ids.set(message, outcome.answer.message_id);
    }
    const isFinal = async (id: string) => (await stack.api.message(apikey, id)).finished_at !== null;
    for (const id of ids.values()) await until('it is delivered', () => isFinal(id), { timeoutMs: 60_000 });
    await ask(`${stack.carrier.url}/_control/inbound`, { from: to, to: '+15005550006', body: more });
    const columns = async (...specified: string[]) => {
      if (width < 768) return;
      const heads = await page.getByRole('columnheader').evaluateAll((all) => all.map((one) => one.textContent ?? ''));
      // The first one says how it is sorted. Decided later: Status follows.
      expect(heads.map((head) => head.replace(/ [↓↑]$/, '')).slice(0, specified.length)).toEqual(specified);
      expect(heads.at(-1)).toBe('Status');
    };
    await says('Sent columns: Date, Sent To, Message, Segments Used.', async () => {
      await open('SMS Sent');
      await expect(rowsOf(page)).toHaveCount(2);
      await columns('Date', 'Sent To', 'Message', 'Segments Used');
    });
    await says('Received columns: Date, Received From, Message, Segments Used.', async () => {
      await open('SMS Received');
      await expect(rowsOf(page)).toHaveCount(1);
      await columns('Date', 'Received From', 'Message', 'Segments Used');
    });
    const close = page.getByRole('dialog').getByRole('button', { name: 'Close' });
    await says(
      "Messages longer than 30 characters are cut to 30 characters plus '...' and a '+' button opens a popup showing 'Msg " +
        "Id - {id} {full message}' with a Close button.",
      async () => {
        const plus = page.getByRole('button', { name: '+ whole message' });
        await expect(rowsOf(page).first()).toContainText(`${thirty}...`);
        await plus.click();
        await expect(page.getByRole('dialog').getByRole('paragraph')).toHaveText(
          new RegExp(`^Msg Id - SM[0-9a-f]{32} ${more}$`),
        );
        await close.click();
        await open('SMS Sent');
        const [long, short] = [
          rowsOf(page).filter({ hasText: `${thirty}...` }),
          rowsOf(page).filter({ hasNotText: '...' }),
        ];
        await expect(short).toContainText(thirty);
        await expect(short.getByRole('button', { name: '+ whole message' })).toHaveCount(0);
        // Nothing of the thirty characters is cut off by the width of the page, either.
        expect(await isCut(short.getByText(thirty))).toBe(false);
        await long.getByRole('button', { name: '+ whole message' }).click();
        await expect(page.getByRole('dialog').getByRole('paragraph')).toHaveText(`Msg Id - ${ids.get(more)} ${more}`);
        await close.click();
        await expect(page.getByRole('dialog')).toHaveCount(0);
      },
    );
    await page.context().close();
    await receiver.stop();
  });

test('Regions', async ({ page }) => {
  await page.goto(`${stack.url}/regions`);
  const rows = main(page).getByRole('row');
  await says(
    'Table sorted by country name with Country, Code, Credits Used Per SMS, Area Code and Service Active.',
    async () => {
      await expect(page.getByRole('columnheader')).toHaveText([
        'Country',
        'Code',
        'Credits Used Per SMS',
        'Area Code',
        'Service Active',
      ]);
      const names = await page.getByRole('rowheader').allInnerTexts();
      expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
    },
  );
  await says('Active rows are highlighted.', async () => {
    const ground = (row: Locator) =>
      row
        .getByRole('cell')
        .last()
        .evaluate((cell) => {
          const style = getComputedStyle(cell.closest('tr') ?? cell);
          return `${style.backgroundColor} ${getComputedStyle(cell).backgroundColor}`;
        });
    const [active, inactive] = [
      await ground(rows.filter({ hasText: 'Germany' })),
      await ground(rows.filter({ hasText: 'Japan' })),
    ];
    expect(active).not.toBe(inactive);
  });
  await says('Values are in section 9.', async () => {
    const active =
      'Canada USA Thailand Australia Denmark UK Poland Portugal Ireland Luxembourg Germany Spain India Italy';
    const credits = {
      1: 'Canada, USA',
      2: 'China, Liechtenstein, Thailand, Turkey',
      3:
        'Australia, Brazil, Bahamas, Colombia, Costa Rica, Denmark, UK, Poland, Puerto Rico, Portugal, Singapore, ' +
        'Taiwan',
      4:
        'Switzerland, Chile, France, Greece, Hong Kong, Ireland, Iceland, Luxembourg, Latvia, Norway, Romania, South ' +
        'Africa',
      5: 'Argentina, Austria, Cyprus, Germany, Spain, Finland, Hungary, India, Italy, Japan',
    };
    const wanted = Object.entries(credits).flatMap(([count, countries]) =>
      countries.split(', ').map((country) => [country, count, active.split(' ').includes(country) ? 'Yes' : 'No']),
    );
    expect(wanted).toHaveLength(40);
    const shown = await rows.evaluateAll((all) =>
      all.slice(1).map((row) => {
        const [country, , count, , isActive] = [...row.children].map((cell) => cell.textContent?.trim());
        return [country, count, isActive];
      }),
    );
    const byName = (a: (string | undefined)[], b: (string | undefined)[]) =>
      (a[0] ?? '').localeCompare(b[0] ?? '', 'en');
    expect(shown).toEqual(wanted.toSorted(byName));
  });
});

test('OTP documentation', async ({ page }) => {
  await page.goto(`${stack.url}/otp`);
  await says('Describes the send and verify OTP calls, available only for USA and Canada.', async () => {
    for (const call of ['/api/sendotp', '/api/verifyotp'])
      await expect(main(page).getByText(call).first()).toBeVisible();
    await expect(
      main(page)
        .getByText(/USA and Canada only|only (for|in) (the )?USA and Canada/)
        .first(),
    ).toBeVisible();
  });
});

test('Privacy and Terms', async ({ browser }) => {
  await says('Static legal text.', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    for (const path of ['/privacy', '/tos']) {
      await page.goto(`${stack.url}${path}`);
      expect((await main(page).innerText()).length).toBeGreaterThan(2_000);
    }
    await context.close();
  });
});

/** The rows of the history below its head. */
function rowsOf(page: Page): Locator {
  return main(page).getByRole('row').filter({ hasText: 'exactly thirty' });
}

/** Whether a text is wider than what is shown of it. */
function isCut(text: Locator): Promise<boolean> {
  return text.evaluate((element) => {
    let cut = false;
    for (let box: Element | null = element; box && box.tagName !== 'TD'; box = box.parentElement)
      cut ||= box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== 'visible';
    return cut;
  });
}

/** The name of an entry of the menu, without its sub-list. */
function titleOf(item: Element): string {
  return (item.querySelector('summary, a')?.textContent ?? '').trim();
}

/** What the typewriter has typed so far. */
function typedText(page: Page): Promise<string> {
  return page
    .getByRole('region', { name: /^Code: / })
    .locator('code')
    .evaluate((code) => {
      const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      let text = '';
      while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (parent?.checkVisibility({ opacityProperty: true })) text += walker.currentNode.textContent;
      }
      return text;
    });
}
