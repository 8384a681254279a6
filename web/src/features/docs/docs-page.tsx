import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { docsPages } from '../../content/docs/menu.js';
import { anchorOf, type Page } from '../../content/page.js';
import { renderPage } from '../../content/render-page.server.js';
import { pageMeta } from '../../site.js';
import { PageContent } from '../site/page-content.js';
import styles from './docs.module.css';

/** Runs at build time, so the browser gets only the finished page. */
export function loader({ request }: LoaderFunctionArgs) {
  const path = new URL(request.url).pathname.replace(/\.data$|\/$/g, '');
  const place = docsPages.findIndex((one) => one.path === path);
  const page = docsPages[place];
  // React Router sends a thrown Response.
  if (!page) throw new Response(null, { status: 404 });
  return { ...renderPage(page), previous: titleOf(docsPages[place - 1]), next: titleOf(docsPages[place + 1]) };
}

const titleOf = (page: Page | undefined) => page && { path: page.path, title: page.title };

export const meta: MetaFunction<typeof loader> = (args) =>
  args.loaderData ? pageMeta(args.loaderData.title, args.loaderData.description)(args) : [];

/** One documentation page, with its headings beside it on wide screens. */
export default function DocsPage() {
  const page = useLoaderData<typeof loader>();
  return (
    <>
      <article className={styles.text}>
        <h1>{page.title}</h1>
        <PageContent page={page} />
        <nav className={styles.turn} aria-label="Previous and next page">
          {page.previous && (
            <Link to={page.previous.path} rel="prev">
              <span>Previous</span> {page.previous.title}
            </Link>
          )}
          {page.next && (
            <Link to={page.next.path} rel="next">
              <span>Next</span> {page.next.title}
            </Link>
          )}
        </nav>
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
