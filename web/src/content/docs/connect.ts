import { errorCatalogue } from '#contract/errors.js';
import { limits } from '#contract/limits.js';
import { auth0Notice, authentikCall, plugAnswers, plugCalls } from '#contract/plug-examples.js';
import { type PlugProduct, plugProducts } from '#contract/plug-products.js';
import { connectPath, paths } from '../../paths.js';
import { site } from '../../site.js';
import { refusal, shown } from '../answers.js';
import { code, exchange, list, type Markup, note, type Page, type Section, steps, table } from '../page.js';
import { shownProducts } from '../plug-products.js';

const NO_CREDITS = 'The balance is 0. You were not charged.';

/** Address of a plug, as the dashboard shows it. */
const addressOf = (product: PlugProduct) => `${site.url}/hooks/${product}/PL0199d0d07c5a7b1f8e0a4f6f2f9c1b3d`;

const connectStep = (product: PlugProduct): Markup =>
  `[Connect ${shownProducts[product].title}](${connectPath(product)}) in the dashboard`;

/** The call of a product and the answer to it. */
const callAndAnswer = (product: PlugProduct) =>
  exchange(
    code('Body of the call', 'json', shown(plugCalls[product])),
    code('The answer, HTTP 200', 'json', shown(plugAnswers[product])),
  );

const refused = code(
  `A refused call, HTTP ${errorCatalogue.no_credits.status}`,
  'json',
  shown(refusal('no_credits', NO_CREDITS)),
);

const howTested = (products: string): Section => ({
  title: 'How this page was tested',
  blocks: [`The calls of this page are tests of Pennytext; it was not tried against a running ${products}.`],
});

const codeRule: Markup =
  `A code has ${limits.otpOwnCodeCharactersMin} to ${limits.otpOwnCodeCharactersMax} digits and letters. Another one ` +
  'is refused with `code_invalid`.';

const proofs: Readonly<Record<PlugProduct, Markup>> = {
  supabase: 'Signed by Standard Webhooks',
  auth0: 'The secret as `Authorization: Bearer`',
  logto: 'The secret in `Authorization`',
  zitadel: '`ZITADEL-Signature`, by a key that ZITADEL makes',
  otp: 'The secret as `Authorization: Bearer`, or as the password of HTTP Basic',
  sms: 'The secret as `Authorization: Bearer`, or as the password of HTTP Basic',
};

export const connect: Page = {
  path: paths.connect,
  title: 'Connect a product',
  description: 'Let Supabase, Auth0, Logto, ZITADEL and other products send their login codes through Pennytext.',
  keywords: ['plug', 'hook', 'auth', 'login', 'Keycloak', 'Authentik', 'Ory', 'Novu'],
  intro: [
    'A product that signs people in makes and checks its own codes, and only needs someone to send them. A plug is ' +
      'an address with a secret of its own, which such a product calls with a number and a code.',
    `You make one under [Connect](${paths.dashboardConnect}) in the dashboard, enter its address and secret in the ` +
      'product, and see the first call arrive.',
  ],
  sections: [
    {
      title: 'Products',
      blocks: [
        table(
          ['Product', 'How its calls are proved'],
          plugProducts.map((product) => [
            `[${shownProducts[product].title}](${shownProducts[product].page})`,
            proofs[product],
          ]),
        ),
        `Without a plug, your own program can send a code that it has made: [\`code\` of ` +
          `\`sendotp\`](${paths.otp}#your-own-code).`,
      ],
    },
    {
      title: 'What is charged',
      blocks: [
        `A code costs ${limits.otpCredits} credit, a text as many as [\`sendsms\`](${paths.prices}) charges. The ` +
          'text of a code is that of `sendotp`: the organization’s name that you give the plug, and the code. A ' +
          'message that is not delivered is refunded. The answer comes when the message is charged and stored; it ' +
          'leaves right after.',
        codeRule,
      ],
    },
    {
      title: 'Repeats',
      blocks: [
        'A call to a plug with the same `webhook-id` or `Idempotency-Key` as one of the last ' +
          `${limits.idempotencyHours} hours is charged once, sent once, and gets the answer of the first. Supabase ` +
          'repeats a call with another id, so the same body counts as the same call there. Two calls without such a ' +
          'header are two messages.',
      ],
    },
    {
      title: 'Limits',
      blocks: [
        `A plug is a [named key](${paths.keys}) of your account, and is among your ${limits.namedKeysMax}. It may ` +
          'send codes or texts, and nothing else. Give it a budget, countries or an expiry by **Limits** in its menu.',
        `The [fraud guard](${paths.otp}#fraud-guard) counts its codes by number. \`conversion_hour\` does not apply, ` +
          'because the product verifies the codes and Pennytext does not learn the result.',
        `Its calls are under [Requests](${paths.dashboardRequests}), without codes and with masked numbers.`,
      ],
    },
    {
      title: 'Errors',
      blocks: [
        `A refused call sends nothing and costs nothing. The answer is that of [other calls](${paths.errors}); the ` +
          'page Connect shows the `code` of the last one.',
        refused,
        list(
          `403 [\`invalid_signature\`](${paths.errors}#invalid_signature): the secret is another one, or the call is ` +
            'signed more than five minutes from now.',
          `400 [\`invalid_request\`](${paths.errors}#invalid_request): the number or the code is not where the ` +
            'product’s documentation has it. `detail` names the field.',
          '404 `not_found`: no plug has this address, or it is disconnected.',
          'Supabase gets most errors in another form: [its page](' + paths.connectSupabase + '#errors) shows it.',
        ),
      ],
    },
    {
      title: 'Secrets',
      blocks: [
        'A secret is shown once and stored encrypted. **New secret** replaces it; the old one works for ' +
          `${limits.plugOldSecretHours} hours, so that you can change it in the product without losing a call. ` +
          '**Disconnect** ends the address at once.',
      ],
    },
    howTested('product'),
  ],
};

const supabaseConfig = `[auth.hook.send_sms]
enabled = true
uri = "${addressOf('supabase')}"
secrets = "v1,whsec_YOUR_SECRET"`;

const supabaseVariables = `GOTRUE_HOOK_SEND_SMS_ENABLED=true
GOTRUE_HOOK_SEND_SMS_URI=${addressOf('supabase')}
GOTRUE_HOOK_SEND_SMS_SECRETS=v1,whsec_YOUR_SECRET`;

export const connectSupabase: Page = {
  path: paths.connectSupabase,
  title: 'Supabase',
  description:
    'Send the login codes of Supabase Auth through Pennytext, by its Send SMS hook: steps, calls and errors.',
  intro: [
    'Supabase Auth calls its [Send SMS hook](https://supabase.com/docs/guides/auth/auth-hooks/send-sms-hook) in ' +
      'place of an SMS provider, with the code that it has made. No Edge Function is needed.',
  ],
  sections: [
    {
      title: 'Steps',
      blocks: [
        steps(
          `${connectStep('supabase')}. Copy the address and the secret, which begins with \`v1,whsec_\`.`,
          'In Supabase, open **Authentication**, **Hooks**, and add the **Send SMS hook** with the type **HTTPS**.',
          'Enter the address as its URL and the secret as its secret. If Supabase has generated a secret already, ' +
            'enter that one in the dashboard instead, when you connect or by **New secret**.',
          'Turn on sign-in by phone, and sign in. The page Connect shows the call.',
        ),
        'On your own machine, in `supabase/config.toml`:',
        code('supabase/config.toml', 'text', supabaseConfig),
        'Self-hosted, as variables of the auth service:',
        code('Variables', 'text', supabaseVariables),
      ],
    },
    {
      title: 'The call',
      blocks: [
        callAndAnswer('supabase'),
        'It is signed by [Standard Webhooks](https://www.standardwebhooks.com). Supabase sends more fields of the ' +
          'user, which are not read. A number without its `+` is read as an international one, and the code of a ' +
          'changed number goes to the new number.',
      ],
    },
    {
      title: 'Errors',
      blocks: [
        'Supabase shows the message of an error to your program only if the answer has the status 200, so refusals ' +
          `have that status, and their own in \`http_code\`. The commonest is 429: a number gets five codes an ` +
          `hour, by the [fraud guard](${paths.otp}#fraud-guard).`,
        code(
          'A refused call, HTTP 200',
          'json',
          shown({ error: { http_code: errorCatalogue.no_credits.status, message: NO_CREDITS } }),
        ),
        list(
          'HTTP 403: the signature is wrong or older than five minutes. Compare the secrets.',
          'HTTP 404: the plug is disconnected.',
          'HTTP 429 and 503: too many requests at once, or a passing fault, such as a repeat that met the first ' +
            'call. Supabase repeats these.',
        ),
      ],
    },
    {
      title: 'Timeouts and repeats',
      blocks: [
        'Supabase waits at most five seconds and repeats a call up to three times, each time with another ' +
          '`webhook-id` and the same body. It is charged and sent once. The next code is another body, hence another ' +
          'message.',
      ],
    },
    howTested('Supabase'),
  ],
};

/** The Action that Auth0 runs for each message. */
export const auth0Action = `exports.onExecuteCustomPhoneProvider = async (event, api) => {
  const { recipient, code, as_text, message_type, delivery_method } = event.notification;
  if (delivery_method !== 'text') {
    api.notification.drop('Pennytext sends texts only');
    return;
  }
  const response = await fetch(event.secrets.PENNYTEXT_ADDRESS, {
    method: 'POST',
    headers: {
      Authorization: \`Bearer \${event.secrets.PENNYTEXT_SECRET}\`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ recipient, ...(code ? { code } : { text: as_text }), message_type }),
  });
  if (response.ok) return;
  const refusal = await response.json().catch(() => ({}));
  const reason = refusal.code || \`HTTP \${response.status}\`;
  // Auth0 repeats it up to 5 times in the next minutes.
  if (response.status === 429 || response.status === 503) api.notification.retry(reason);
  else api.notification.drop(reason);
};`;

const auth0Docs =
  'https://auth0.com/docs/customize/phone-messages/configure-phone-messaging-providers/configure-a-custom-phone-provider';

export const connectAuth0: Page = {
  path: paths.connectAuth0,
  title: 'Auth0',
  description:
    'Send the texts and codes of Auth0 through Pennytext: the Action of a custom phone provider, and errors.',
  intro: [
    `Auth0 runs an Action of yours for each message of a [custom phone provider](${auth0Docs}). The Action below ` +
      'calls a plug.',
  ],
  sections: [
    {
      title: 'Steps',
      blocks: [
        steps(
          `${connectStep('auth0')}, and copy the address and the secret.`,
          'In Auth0, open **Branding**, **Phone Provider**, and choose **Custom**.',
          'Choose **Text** as the delivery method.',
          'Under **Provider Configuration**, paste the Action below, and add the secrets `PENNYTEXT_ADDRESS` and ' +
            '`PENNYTEXT_SECRET`.',
          '**Save**, then **Send Test Message**. The page Connect shows the call.',
        ),
        code('Action', 'javascript', auth0Action),
      ],
    },
    {
      title: 'The call',
      blocks: [
        'With a code, the text is that of `sendotp`. Messages of Auth0 that have none, such as `blocked_account`, ' +
          'are sent with the text of Auth0:',
        callAndAnswer('auth0'),
        code('Body of a notice', 'json', shown(auth0Notice)),
      ],
    },
    {
      title: 'Errors and repeats',
      blocks: [
        refused,
        'The Action drops a refused message, with the `code` as the reason in Auth0’s log. After 429 and 503 it asks ' +
          'Auth0 to run it again, which Auth0 does up to five times in the next minutes. An `unavailable` may have ' +
          'been accepted all the same; such a message can arrive twice.',
      ],
    },
    howTested('Auth0'),
  ],
};

export const connectLogto: Page = {
  path: paths.connectLogto,
  title: 'Logto',
  description:
    'Send the verification codes of Logto through Pennytext: settings of its HTTP SMS connector, and errors.',
  intro: ['Logto’s [HTTP SMS connector](https://docs.logto.io/integrations/http-sms) calls an address with each code.'],
  sections: [
    {
      title: 'Steps',
      blocks: [
        steps(
          `${connectStep('logto')}, and copy the address and the secret.`,
          'In Logto, add the connector **HTTP SMS**.',
          'Enter the address as `endpoint` and the secret as `authorization`, with or without `Bearer` before it.',
          'Send a code with it. The page Connect shows the call.',
        ),
      ],
    },
    {
      title: 'The call',
      blocks: [
        callAndAnswer('logto'),
        '`type` is what the code is for; the text is the same for all. A number without its `+` is read as an ' +
          'international one.',
      ],
    },
    {
      title: 'Errors and repeats',
      blocks: [
        refused,
        'Logto takes a 2xx answer for a sent code, and any other one for a failure. Each of its calls is a message.',
      ],
    },
    howTested('Logto'),
  ],
};

const zitadelProvider = `curl https://YOUR_ZITADEL_DOMAIN/admin/v1/sms/http \\
  -H 'Authorization: Bearer YOUR_ZITADEL_TOKEN' \\
  -H 'Content-Type: application/json' \\
  -d '{ "endpoint": "${addressOf('zitadel')}", "description": "Pennytext" }'`;

const zitadelActivation = `curl https://YOUR_ZITADEL_DOMAIN/admin/v1/sms/YOUR_PROVIDER_ID/_activate \\
  -H 'Authorization: Bearer YOUR_ZITADEL_TOKEN' \\
  -H 'Content-Type: application/json' \\
  -d '{}'`;

export const connectZitadel: Page = {
  path: paths.connectZitadel,
  title: 'ZITADEL',
  description: 'Send the codes of ZITADEL through Pennytext: its HTTP SMS provider, the signing key, and errors.',
  intro: [
    'ZITADEL sends its codes to an [HTTP ' +
      'provider](https://zitadel.com/docs/guides/manage/customize/notification-providers) for SMS, ' +
      'and signs these calls with a key that it makes.',
  ],
  sections: [
    {
      title: 'Steps',
      blocks: [
        steps(
          `${connectStep('zitadel')}, and copy the address. Leave the signing key empty.`,
          'Add an SMS provider of the type HTTP to ZITADEL. Its answer has `id` and `signingKey`.',
          'Enter the `signingKey` in the dashboard, under Connect.',
          'Activate the provider by its `id`.',
        ),
        code('Curl: Add the provider', 'bash', zitadelProvider),
        code('Curl: Activate the provider', 'bash', zitadelActivation),
        note(
          'Codes of ZITADEL can have the letters I, L and O, which people take for digits. Its secret generators for ' +
            'verifying a phone and for one-time passwords by SMS can be set to digits.',
        ),
      ],
    },
    {
      title: 'The call',
      blocks: [
        callAndAnswer('zitadel'),
        'Its header `ZITADEL-Signature` is `t=`, a time in seconds, `,v1=` and the HMAC-SHA-256 of the time, a dot ' +
          'and the body, in hex. ZITADEL sends more fields, which are not read; the text is that of `sendotp`.',
      ],
    },
    {
      title: 'Errors and repeats',
      blocks: [
        refused,
        'Before you have entered the signing key, each call is refused with 403 `invalid_signature`. Each call with ' +
          'its own code is a message.',
      ],
    },
    howTested('ZITADEL'),
  ],
};

const codeRequest = `curl ${addressOf('otp')} \\
  -H 'Authorization: Bearer YOUR_PLUG_SECRET' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(plugCalls.otp)}'`;

const kratosChannel = `courier:
  channels:
    - id: sms
      type: http
      request_config:
        url: ${addressOf('otp')}
        method: POST
        body: base64://…
        auth:
          type: basic_auth
          config:
            user: pennytext
            password: YOUR_PLUG_SECRET`;

const kratosBody = `function(ctx) {
  to: ctx.recipient,
  code: ctx.template_data.VerificationCode,
}`;

export const connectOther: Page = {
  path: paths.connectOther,
  title: 'Keycloak, Authentik, Ory and others',
  description: 'Send the codes of any auth product that can post JSON to an address: field paths, secret and errors.',
  keywords: ['Keycloak', 'Authentik', 'Ory Kratos', 'generic'],
  intro: [
    'Any product fits that posts a JSON object with a number and a code. The plug names the two fields, by paths ' +
      'such as `$.to` or `$.user.phone`.',
  ],
  sections: [
    {
      title: 'The call',
      blocks: [
        steps(
          `${connectStep('otp')}. Enter the paths of the number and of the code.`,
          'Enter the address in the product, and the secret as a Bearer token or as the password of HTTP Basic, with ' +
            'any user name.',
        ),
        exchange(
          code('Curl: Send a code', 'bash', codeRequest),
          code('The answer, HTTP 200', 'json', shown(plugAnswers.otp)),
        ),
        'The number is written with `+` and country code. ' + codeRule,
      ],
    },
    {
      title: 'Authentik',
      blocks: [
        'In the [SMS Authenticator Setup ' +
          'stage](https://docs.goauthentik.io/add-secure-apps/flows-stages/stages/authenticator_sms), choose the ' +
          'provider **Generic**, enter the address as **External API URL**, and the secret ' +
          'as the token of Bearer or the password of Basic. Without a mapping of your own it sends this, so the ' +
          'paths are `$.To` and `$.Body`:',
        code('Body of the call', 'json', shown(authentikCall)),
        'Authentik takes a status of 400 or above for a failure, and does not let the person proceed.',
      ],
    },
    {
      title: 'Ory Kratos',
      blocks: [
        'Add an HTTP channel with the id `sms` to ' +
          'the [courier](https://www.ory.sh/docs/kratos/emails-sms/sending-sms):',
        code('Configuration', 'text', kratosChannel),
        '`body` is this Jsonnet in base64. Ory documents `VerificationCode` for the template `verification_code`; ' +
          'look up the name in `template_data` for other templates of your version.',
        code('Jsonnet', 'text', kratosBody),
        `The finished text, \`ctx.body\`, can be sent as \`content\` by a [plug for texts](${paths.connectTexts}).`,
      ],
    },
    {
      title: 'Keycloak',
      blocks: [
        'Codes by SMS come from an extension there. Use one that posts JSON to an address of your choice with a ' +
          'Bearer token or HTTP Basic, and name its fields.',
      ],
    },
    {
      title: 'Errors and repeats',
      blocks: [
        refused,
        `A repeat with the same \`webhook-id\` or \`Idempotency-Key\` is [charged once](${paths.connect}#repeats); ` +
          'without one, each call is a message.',
      ],
    },
    howTested('product'),
  ],
};

const textRequest = `curl ${addressOf('sms')} \\
  -H 'Authorization: Bearer YOUR_PLUG_SECRET' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ to: plugCalls.sms.to, content: plugCalls.sms.content })}'`;

export const connectTexts: Page = {
  path: paths.connectTexts,
  title: 'Novu and others that send texts',
  description: 'Send the texts of Novu, or of anything that posts a number and a text, through Pennytext.',
  keywords: ['Novu', 'notifications'],
  intro: [
    'A plug for texts takes a number and a finished text, as the provider ' +
      '[SMS Webhook](https://docs.novu.co/platform/integrations/sms/sms-webhook) of Novu sends them.',
  ],
  sections: [
    {
      title: 'Novu',
      blocks: [
        steps(
          `[Connect it](${connectPath('sms')}) in the dashboard, and copy the address and the secret.`,
          'In Novu, open the **Integrations Store**, choose **Connect Provider** and **SMS Webhook**.',
          'Fill in these fields, and create the integration.',
        ),
        table(
          ['Field in Novu', 'Value'],
          [
            ['Base URL', 'The address'],
            ['API Key Request Header', '`Authorization`'],
            ['API Key', '`Bearer`, a space, and the secret'],
            ['From', 'Any text: it is not read'],
            ['Id Path', '`id`'],
            ['Date Path', '`date`'],
          ],
        ),
        callAndAnswer('sms'),
      ],
    },
    {
      title: 'Other products',
      blocks: [
        'Post `to`, with `+` and country code, and `content`:',
        exchange(
          code('Curl: Send a text', 'bash', textRequest),
          code('Response, HTTP 200', 'json', shown(plugAnswers.sms)),
        ),
        '`id` is that of the message: [its status](' + paths.messageStatus + ') is found by it.',
      ],
    },
    {
      title: 'Errors and repeats',
      blocks: [
        refused,
        `A repeat with the same \`webhook-id\` or \`Idempotency-Key\` is [charged once](${paths.connect}#repeats); ` +
          'without one, each call is a message.',
      ],
    },
    howTested('Novu'),
  ],
};

/** Pages in menu order. */
export const connectPages: readonly Page[] = [
  connect,
  connectSupabase,
  connectAuth0,
  connectLogto,
  connectZitadel,
  connectOther,
  connectTexts,
];
