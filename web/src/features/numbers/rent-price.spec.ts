import { rentText } from './rent-price.js';

describe('a rent', () => {
  it('is worded in dollars of the pack that was bought last, and before that of Pro', () => {
    expect(rentText(50, undefined)).toBe('50 credits, about $1.50 a month');
    expect(rentText(50, 50)).toBe('50 credits, about $3 a month');
    expect(rentText(100, 250)).toBe('100 credits, about $4 a month');
    expect(rentText(50, 2_500)).toBe('50 credits, about $1 a month');
    expect(rentText(50, 777)).toBe('50 credits, about $1.50 a month');
  });
});
