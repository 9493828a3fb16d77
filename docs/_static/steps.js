// Sliders for a figure whose parts show steps: a part drawn with `set_gid("bandwidth = 0.3")` has
// the attribute `data-step`. Parts that are whole axes are panels, of which one is shown enlarged;
// of other parts, those that fit the values are shown. On paper, all panels or the last values are.
{
  const words = document.currentScript.dataset; // in the page's language
  const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");
  const paper = matchMedia("print");

  function make(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  }

  // The box of each panel with the same room around its frame, so that nothing moves between them.
  function boxes(panels) {
    const outer = panels.map((panel) => panel.getBBox());
    const frames = panels.map((panel) => panel.querySelector("path").getBBox());
    const left = Math.max(...panels.map((_, k) => frames[k].x - outer[k].x));
    const top = Math.max(...panels.map((_, k) => frames[k].y - outer[k].y));
    const width = Math.max(...panels.map((_, k) => outer[k].x + outer[k].width - frames[k].x));
    const height = Math.max(...panels.map((_, k) => outer[k].y + outer[k].height - frames[k].y));
    return frames.map(({ x, y }) => [x - left, y - top, left + width, top + height]);
  }

  function addSliders(figure) {
    const parts = [...figure.querySelectorAll("[data-step]")];
    const settings = parts.map(({ dataset }) => dataset.step.split(", ").map((text) => text.split(" = ")));
    const values = new Map(); // of each parameter, in the order in which they were drawn
    for (const [name, value] of settings.flat()) values.set(name, new Set(values.get(name)).add(value));
    const parameters = [...values].map(([name, set]) => ({ name, values: [...set], index: 0 }));
    const panels = parts.every((part) => part.hasAttribute("data-panel")) && boxes(parts);
    const whole = ["viewBox", "width", "height"].map((name) => [name, figure.getAttribute(name)]);
    const controls = make("div", { className: panels ? "steps panels" : "steps" });
    let timer = 0;

    function update() {
      const chosen = new Map(parameters.map(({ name, values, index }) => [name, values.at(paper.matches ? -1 : index)]));
      const fits = settings.map((setting) => setting.every(([name, value]) => chosen.get(name) === value));
      parts.forEach((part, k) => part.classList.toggle("other-step", !fits[k]));
      if (panels) {
        const box = panels[fits.indexOf(true)];
        const size = 448 / Math.max(box[2], box[3]);
        const shown = [["viewBox", box.join(" ")], ["width", box[2] * size], ["height", box[3] * size]];
        for (const [name, value] of paper.matches ? whole : shown) figure.setAttribute(name, value);
      }
      for (const { name, slider, output, index } of parameters) {
        slider.value = index;
        slider.setAttribute("aria-valuetext", chosen.get(name));
        output.value = chosen.get(name);
      }
    }
    function move(parameter, index) {
      parameter.index = index;
      update();
    }
    function play(on) {
      const [parameter] = parameters;
      const last = parameter.values.length - 1;
      clearInterval(timer);
      timer = on && setInterval(() => {
        move(parameter, Math.min(parameter.index + 1, last));
        if (parameter.index === last) play(false);
      }, lessMotion.matches ? 1500 : 400);
      button.textContent = on ? words.pause : words.play;
    }

    for (const parameter of parameters) {
      const max = parameter.values.length - 1;
      const slider = make("input", { type: "range", min: 0, max, step: 1, ariaLabel: parameter.name });
      slider.addEventListener("input", () => (play(false), move(parameter, slider.valueAsNumber)));
      Object.assign(parameter, { slider, output: make("output", {}) });
      controls.append(make("label", {}, make("span", {}, parameter.name, " = ", parameter.output), slider));
    }
    const button = make("button", { type: "button" });
    button.addEventListener("click", () => {
      const [parameter] = parameters;
      if (!timer && parameter.index === parameter.values.length - 1) move(parameter, 0);
      play(!timer);
    });
    if (parameters.length === 1 && parameters[0].values.length > 5) controls.prepend(button);
    figure.after(controls);
    play(false);
    update();
    paper.addEventListener("change", update);
  }

  for (const figure of document.querySelectorAll("svg.drawing:has([data-step])")) addSliders(figure);
}
