/** States what the panels of a page show, as far as the page can tell: texts, colors, and what is cut off. */
export function reportOf(root, screenWidth) {
  return [...root.querySelectorAll('.panel')].map((panel) => ({
    title: panel.querySelector('h2')?.title ?? '',
    type: panel.dataset.type,
    isTitleCut: isCut(panel.querySelector('h2')),
    noData: panel.querySelector('.no-data')?.textContent ?? '',
    failure: panel.querySelector('.failed')?.textContent ?? '',
    bands: [...panel.querySelectorAll('rect[data-text]')].map((band) => ({
      text: band.dataset.text,
      color: band.getAttribute('fill'),
    })),
    headers: [...panel.querySelectorAll('[role=columnheader]')].map(lookOf),
    cells: [...panel.querySelectorAll('[role=gridcell]')].map(lookOf),
    numbers: panel.dataset.type === 'stat' ? [...panel.querySelectorAll('span')].filter(isBig).map(lookOf) : [],
    legend: [...panel.querySelectorAll('tbody tr')].map((row) => row.firstElementChild.innerText.trim()),
    overflow: Math.max(0, panel.getBoundingClientRect().right - screenWidth),
  }));
}

/** Whether an element is larger than labels and titles. */
function isBig(element) {
  return Number.parseFloat(getComputedStyle(element).fontSize) > 20;
}

function lookOf(cell) {
  const { backgroundColor } = getComputedStyle(cell);
  const { color } = getComputedStyle(deepest(cell));
  return { text: cell.innerText, background: hex(backgroundColor), color: hex(color), isCut: isCut(cell) };
}

function deepest(element) {
  return element.firstElementChild === null ? element : deepest(element.firstElementChild);
}

/** Writes `rgb(1, 2, 3)` as `#010203`, and a transparent color as nothing. */
function hex(color) {
  const parts = color.match(/[\d.]+/g).map(Number);
  if (parts[3] === 0) return '';
  return `#${parts
    .slice(0, 3)
    .map((part) => part.toString(16).padStart(2, '0'))
    .join('')}`;
}

function isCut(element) {
  const all = element === null ? [] : [element, ...element.querySelectorAll('*')];
  return all.some((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible');
}
