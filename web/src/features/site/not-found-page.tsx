import { hiddenPageMeta } from '../../site.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { PageFrame } from '../../ui/page-frame.js';

export const meta = hiddenPageMeta('Page not found');

/** Shown for unknown addresses; the server sends it with status 404. */
export default function NotFoundPage() {
  return (
    <PageFrame title="Page not found." lead="The address may be mistyped, or the page has moved.">
      <ButtonLink to={paths.home} look="primary">
        Go to the start page
      </ButtonLink>
    </PageFrame>
  );
}
