import { Mark } from './mark.js';

const sample = [
  `curl ${window.location.origin}/api/sendsms \\`,
  "  -d to='2025550142' \\",
  "  -d message='Hello from Pennytext' \\",
  "  -d apikey='YOUR_API_KEY'",
].join('\n');

/** What the product is, in one screen. */
export function Home() {
  return (
    <>
      <header>
        <Mark />
        <span className="name">Pennytext</span>
      </header>
      <main>
        <section>
          <h1>Send and Receive SMS with our simple API</h1>
          <p className="lead">
            One HTTP POST sends a text message to the USA, Canada and more countries. You pay as you go, in credits,
            with no subscription.
          </p>
          <p className="note">Every new account gets 3 free credits.</p>
        </section>
        <figure>
          <figcaption>Send an SMS with curl</figcaption>
          {/* Scrolls sideways on phones, so the keyboard must reach it. */}
          <pre tabIndex={0}>
            <code>{sample}</code>
          </pre>
        </figure>
      </main>
    </>
  );
}
