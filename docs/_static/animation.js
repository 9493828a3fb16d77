// Animate a figure of equal square panels: one panel at a time, started by the reader only.
// The figure has a class such as `film-4x4-every-5`: rows, columns, epochs from panel to panel;
// `film-4x4-every-5-steps` counts steps instead of epochs.
const words = document.currentScript.dataset; // in the page's language
const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");

function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function animate(image, word, rows, columns, every) {
  const last = (rows * columns - 1) * every;
  const panel = make("div", { className: "animation-panel" });
  const button = make("button", { type: "button" });
  const slider = make("input", { type: "range", min: 0, max: last, step: every });
  let timer = 0;

  function show(moment) {
    slider.value = moment;
    slider.setAttribute("aria-valuetext", `${moment} / ${last}`);
    panel.style.setProperty("--left", `${(-100 / columns) * ((moment / every) % columns)}%`);
    panel.style.setProperty("--up", `${(-100 / rows) * Math.floor(moment / every / columns)}%`);
    if (moment === last) play(false);
  }
  function play(on) {
    clearInterval(timer);
    timer = on && setInterval(() => show(slider.valueAsNumber + every), lessMotion.matches ? 1500 : 400);
    button.textContent = on ? words.pause : words.play;
  }
  button.addEventListener("click", () => {
    if (!timer && slider.valueAsNumber === last) show(0);
    play(!timer);
  });
  slider.addEventListener("input", () => (play(false), show(slider.valueAsNumber)));

  image.replaceWith(panel);
  panel.append(image);
  panel.style.setProperty("--columns", columns);
  panel.after(make("div", { className: "animation-controls" }, button, make("label", {}, word, slider)));
  play(false);
  show(0);
}

for (const image of document.querySelectorAll("svg[class*='film-']")) {
  const [numbers, steps] = image.getAttribute("class").match(/film-(\d+x\d+-every-\d+)(-steps)?/).slice(1);
  animate(image, steps ? words.step : words.epoch, ...numbers.match(/\d+/g).map(Number));
}
