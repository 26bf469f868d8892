// Reads a chart off under the pointer and by keyboard. Without JavaScript, the table below it has the same figures.
const SVG = 'http://www.w3.org/2000/svg';

for (const figure of document.querySelectorAll('figure[data-chart]')) {
  const svg = figure.querySelector('svg');
  const readings = JSON.parse(figure.querySelector('script').textContent);
  const names = [...figure.querySelectorAll('.key')].map((key) => key.textContent);
  const { width, height } = svg.viewBox.baseVal;

  const guide = svg.appendChild(document.createElementNS(SVG, 'line'));
  guide.setAttribute('class', 'guide');
  guide.setAttribute('y1', 24);
  guide.setAttribute('y2', height - 34);
  const dots = ['reading', 'reading other'].map((name) => {
    const dot = svg.appendChild(document.createElementNS(SVG, 'circle'));
    dot.setAttribute('class', name);
    return dot;
  });

  const slider = document.createElement('input');
  Object.assign(slider, { type: 'range', min: 0, max: readings.length - 1, value: readings.length - 1 });
  slider.setAttribute('aria-label', figure.dataset.chart);
  const text = document.createElement('p');
  text.className = 'reading';
  svg.after(text, slider);

  const show = (index) => {
    const [x, period, ...lines] = readings[index];
    const values = [];
    dots.forEach((dot, at) => {
      const [y, value] = lines.slice(at * 2, at * 2 + 2);
      dot.setAttribute('r', y == null ? 0 : 5);
      dot.setAttribute('cx', x);
      dot.setAttribute('cy', y ?? 0);
      if (value !== undefined) values.push(names.length > 0 ? `${names[at]} ${value}` : value);
    });
    guide.setAttribute('x1', x);
    guide.setAttribute('x2', x);
    text.textContent = [period, ...values].join(' · ');
    slider.setAttribute('aria-valuetext', text.textContent);
    slider.value = index;
  };
  slider.addEventListener('input', () => show(Number(slider.value)));
  svg.addEventListener('pointermove', ({ clientX }) => {
    const { left, width: shown } = svg.getBoundingClientRect();
    const x = ((clientX - left) / shown) * width;
    const distances = readings.map(([at]) => Math.abs(at - x));
    show(distances.indexOf(Math.min(...distances)));
  });
  show(readings.length - 1);
}
