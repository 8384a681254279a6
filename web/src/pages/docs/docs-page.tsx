import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { PageWords } from '../../components/page-words.js';
import { anchorOf } from '../../content/anchor.js';
import { docsPages } from '../../content/docs/menu.js';
import { showPage } from '../../content/show-page.server.js';
import { pageMeta } from '../../page-meta.js';
import styles from './docs-page.module.css';

/** Runs at build: the browser gets the page, not what it is made of. */
export function loader({ request }: LoaderFunctionArgs) {
  const path = new URL(request.url).pathname.replace(/\.data$|\/$/g, '');
  const page = docsPages.find((one) => one.path === path);
  // React Router answers a thrown Response.
  if (!page) throw new Response(null, { status: 404 });
  return showPage(page);
}

export const meta: MetaFunction<typeof loader> = (args) =>
  args.loaderData ? pageMeta(args.loaderData.title, args.loaderData.description)(args) : [];

/** One page of the documentation, with its headings beside it where there is room. */
export default function DocsPage() {
  const page = useLoaderData<typeof loader>();
  return (
    <>
      <article className={styles.text}>
        <h1>{page.title}</h1>
        <PageWords page={page} />
      </article>
      <nav className={styles.headings} aria-labelledby="on-this-page">
        <p id="on-this-page">On this page</p>
        <ul>
          {page.sections.map(({ title }) => (
            <li key={title}>
              <a href={`#${anchorOf(title)}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}
