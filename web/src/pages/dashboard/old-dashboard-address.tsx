import { redirect, type ClientLoaderFunctionArgs } from 'react-router';
import { paths } from '../../paths.js';

/** /dashboardpage, as it was once called, leads to the dashboard; what stands after the ? goes along. */
export function clientLoader({ request }: ClientLoaderFunctionArgs): Response {
  return redirect(`${paths.dashboard}${new URL(request.url).search}`);
}
