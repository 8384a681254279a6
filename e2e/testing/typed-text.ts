import type { Page } from '@playwright/test';

/** The part of the home page's sample that can be seen: what the typewriter has typed so far. */
export function typedText(page: Page): Promise<string> {
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
