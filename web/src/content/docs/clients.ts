import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { code, list, type Page, table } from '../page.js';

/** Version of the clients, as in the names of their files; clients.spec.ts compares it with theirs. */
export const CLIENT_VERSION = '0.1.0';

const files = `${site.url}/clients`;

const python = `pip install ${files}/pennytext-${CLIENT_VERSION}-py3-none-any.whl`;

const php = `mkdir -p packages
curl -o packages/pennytext-php-${CLIENT_VERSION}.zip ${files}/pennytext-php-${CLIENT_VERSION}.zip
composer config repositories.pennytext artifact packages
composer require pennytext/pennytext`;

const ruby = `curl -O ${files}/pennytext-${CLIENT_VERSION}.gem
gem install pennytext-${CLIENT_VERSION}.gem`;

const go = `GOPROXY=${files}/go,https://proxy.golang.org GONOSUMDB=pennytext.example \\
  go get pennytext.example/pennytext`;

const java = `curl -O ${files}/pennytext-${CLIENT_VERSION}.jar`;

const typescript = `npm install ${site.url}/pennytext.tgz`;

const first = (title: string, install: string) => code(title, 'bash', install);

export const clients: Page = {
  path: paths.clients,
  title: 'Clients',
  description:
    'Clients of the API for TypeScript, Python, PHP, Ruby, Go and Java, without dependencies: how to install ' +
    'each, what it repeats, and what it never does.',
  keywords: ['library', 'package', 'SDK', 'pip', 'Composer', 'gem', 'module', 'jar'],
  intro: [
    'There is a client for each of six languages. Every one has the same calls, typed for your editor, uses no ' +
      'other package, and passes the same cases of one test suite. The samples of this documentation are written ' +
      'with them: choose your language once, and all pages show it.',
  ],
  sections: [
    {
      title: 'Install',
      blocks: [
        'This site serves each client in the version that fits its API.',
        first('TypeScript and JavaScript', typescript),
        `It needs Node 20 or newer, and has [a page of its own](${paths.sdk}).`,
        first('Python', python),
        'It needs Python 3.9 or newer. `Pennytext` is the client, `AsyncPennytext` the one for asyncio.',
        first('PHP', php),
        'It needs PHP 8.1 or newer, in a project that `composer init` has begun. It takes your PSR-18 client, or ' +
          'uses streams.',
        first('Ruby', ruby),
        'It needs Ruby 3.0 or newer. Threads can share a client.',
        first('Go', go),
        'It needs Go 1.19 or newer. Every call takes a context.',
        first('Java', java),
        'It needs Java 11 or newer. Put the file on the class path, or install it into your repository. Every call ' +
          'also has a form that returns a `CompletableFuture`.',
      ],
    },
    {
      title: 'The key and the address',
      blocks: [
        'A client takes both as arguments, or from the variables `PENNYTEXT_API_KEY` and `PENNYTEXT_URL`. The key ' +
          'never appears in an exception, a log line or the text of an object. The certificate of the server is ' +
          'always checked.',
      ],
    },
    {
      title: 'Retries',
      blocks: [
        list(
          'A call that lost its connection, or was answered 429 or 5xx, is repeated up to 3 times, after growing ' +
            'waits that are partly random. `Retry-After` is honored up to 30 seconds; a longer one ends the call.',
          `All tries of a call that sends, buys or uploads carry one [\`Idempotency-Key\`](${paths.idempotency}): ` +
            'nothing is sent or charged twice. Pass your own to be safe across restarts.',
          'A call ends after 60 seconds with all its tries and waits. If it may have taken effect, the error ' +
            'names the outcome as unknown, and has the key with which to ask again.',
          'Verifying a code is repeated only after 429: a lost answer may have used the code.',
        ),
      ],
    },
    {
      title: 'Errors',
      blocks: [
        `Failures are one type of error with a [code](${paths.errors}), a detail for people, the HTTP status, the ` +
          'id of the request, the seconds to wait, and the call that would succeed, if there is exactly one.',
        table(
          ['Language', 'Error', 'Comparison'],
          [
            ['TypeScript', '`PennytextError`', "`error.is('no_credits')`"],
            ['Python', '`PennytextError`', '`error.is_("no_credits")`'],
            ['PHP', '`Pennytext\\PennytextException`', '`$error->is(ErrorCode::NO_CREDITS)`'],
            ['Ruby', '`Pennytext::Error`', '`error.is?(:no_credits)`'],
            ['Go', '`*pennytext.Error`', '`failure.HasCode(pennytext.CodeNoCredits)`'],
            ['Java', '`PennytextException`', '`error.is("no_credits")`'],
          ],
        ),
      ],
    },
    {
      title: 'Lists, times and new fields',
      blocks: [
        list(
          'Lists are iterators, which read page by page as far as you go.',
          'Times are the language’s own type with an offset; TypeScript leaves them as text. Credits are whole ' +
            'numbers.',
          'Fields, values and error codes that a client does not know yet are never an error, so an older client ' +
            'works with a newer service.',
        ),
      ],
    },
    {
      title: 'What a client never does',
      blocks: [
        list(
          'It never follows a redirect: the key would go to another address.',
          'It never repeats a call that was refused, except after 429.',
          'It never reads more than 16 MiB of an answer, and never waits longer than its deadline.',
          'It never takes a phone number or a code as a number: it would lose its plus or its leading zero.',
        ),
      ],
    },
    {
      title: 'Check a webhook',
      blocks: [
        `Every client verifies [webhooks](${paths.webhooks}) from the request’s body as it came, its headers, and ` +
          'your secret, or two of them while you change it. A webhook that is forged, or older than five minutes, ' +
          'is the error `invalid_webhook`. The event has a `type` and `data`: the fields of ' +
          `[a reply](${paths.receiving}), or those of [another event](${paths.webhooks}).`,
      ],
    },
  ],
};
