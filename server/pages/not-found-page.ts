/** The page of unknown paths. It stands alone: whatever else is broken, it can be shown. */
export function notFoundPage(): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Page not found. – Pennytext</title></head>
<body><main><h1>Page not found.</h1><p><a href="/">Go to the start page</a></p></main></body>
</html>`;
}
