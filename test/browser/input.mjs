// Two ways to use a page: by pointer, and by keyboard alone.

/** More stops than any page has. */
const MOST_STOPS = 200;

export function pointer(page) {
  return {
    fill: (selector, text) => page.locator(selector).first().fill(text),
    press: (selector) => navigating(page, () => page.locator(selector).first().click()),
  };
}

/**
 * Tab, Enter and typing only.
 * @param {string[]} wrong gets a line for each stop whose focus is invisible
 */
export function keyboard(page, wrong) {
  const reach = async (selector) => {
    for (let stop = 0; stop < MOST_STOPS; stop += 1) {
      await page.keyboard.press('Tab');
      const { found, isVisible, html } = await page.evaluate(focused, selector);
      if (!isVisible && html !== '') wrong.push(`${page.url()}: the focus is invisible on ${html}`);
      if (found) return;
    }
    throw new Error(`${page.url()}: the keyboard does not reach ${selector}`);
  };
  return {
    fill: async (selector, text) => {
      await reach(selector);
      // Tab selects the text of a field, so that typing replaces it.
      await page.keyboard.type(text);
    },
    press: async (selector) => {
      await reach(selector);
      await navigating(page, () => page.keyboard.press('Enter'));
    },
  };
}

async function navigating(page, act) {
  await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), act()]);
}

/** Runs in the page. */
function focused(selector) {
  const { document, innerHeight, getComputedStyle } = globalThis;
  const element = document.activeElement;
  if (element === null || element === document.body) return { found: false, isVisible: true, html: '' };
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  const isOnScreen = bottom > 0 && top < innerHeight && right > 0 && left >= 0;
  return {
    found: document.querySelector(selector) === element,
    isVisible: isOutlined && isOnScreen,
    html: element.outerHTML.slice(0, 120),
  };
}
