import { medianOf, readLighthouse } from './lighthouse.js';

const resultOf = (performance: number, accessibility: number) =>
  JSON.stringify({
    categories: {
      performance: { score: performance },
      accessibility: { score: accessibility },
      'best-practices': { score: 1 },
      seo: { score: null },
    },
    audits: {
      'largest-contentful-paint': { numericValue: 2_040.4 },
      'total-blocking-time': { numericValue: 12 },
      'cumulative-layout-shift': { numericValue: 0.00123 },
      'network-requests': {
        details: {
          items: [
            { url: 'https://a.test/', resourceType: 'Document' },
            { url: 'https://a.test/a.js', resourceType: 'Script' },
          ],
        },
      },
    },
  });

describe('what Lighthouse found', () => {
  it('is read from its JSON; a score that it could not give is none', () => {
    expect(readLighthouse(resultOf(0.976, 1))).toEqual({
      scores: { performance: 98, accessibility: 100, bestPractices: 100, seo: 0 },
      largestPaintMs: 2_040.4,
      blockedMs: 12,
      layoutShift: 0.001,
      scriptUrls: ['https://a.test/a.js'],
    });
  });

  it('is the middle of three visits by performance, the worst by all else', () => {
    const visits = [resultOf(0.99, 1), resultOf(0.5, 1), resultOf(0.95, 0.9)].map(readLighthouse);
    expect(medianOf(visits).scores).toMatchObject({ performance: 95, accessibility: 90 });
  });
});
