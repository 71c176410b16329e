// The page's events, told to the program (app/web/page_input.cpp). Coordinates are pixels of the canvas.
'use strict';

function listenToInput(canvas, program) {
  const mac = /Mac|iPhone|iPad/.test(navigator.platform);
  const call = (name, types, ...values) => program.ccall(name, null, types, values);
  let ratio = 1;

  // GLFW's bits. Where commands have Command, it stands for Control.
  const modifiers = e => (e.shiftKey ? 1 : 0) | ((mac ? e.metaKey : e.ctrlKey) ? 2 : 0) | (e.altKey ? 4 : 0) |
      ((mac ? e.ctrlKey : e.metaKey) ? 8 : 0);

  // The smallest window, in pixels, in which everything has its place: a small screen draws that many and shrinks them.
  const smallest = {width: 960, height: 600};
  function resize() {
    const box = canvas.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) return;
    const dots = window.devicePixelRatio || 1;
    ratio = Math.max(dots, smallest.width / box.width, smallest.height / box.height);
    call('page_resize', ['number', 'number', 'number'], Math.round(box.width * ratio), Math.round(box.height * ratio),
         dots);
  }
  new ResizeObserver(resize).observe(canvas);
  const followDots = () => {
    resize();
    matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener('change', followDots, {once: true});
  };
  followDots();

  const point = e => call('page_point', ['number', 'number'], e.offsetX * ratio, e.offsetY * ratio);
  const button = (which, down) => call('page_button', ['number', 'number'], which, down);
  const buttonOf = e => [0, 2, 1][e.button];  // ImGui's order: left, right, middle

  // One finger is the mouse. Two scroll, and pinching zooms as Ctrl and the wheel do.
  const touches = new Map();
  let pair = null;
  const pairOf = () => {
    const [a, b] = [...touches.values()];
    return {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y)};
  };
  const wheel = (right, down, held) => call('page_wheel', ['number', 'number', 'number'], right, down, held);

  canvas.addEventListener('pointerdown', e => {
    canvas.focus();
    try { canvas.setPointerCapture(e.pointerId); } catch { /* an event of a test has no pointer */ }
    e.preventDefault();
    if (e.pointerType === 'touch') touches.set(e.pointerId, {x: e.offsetX, y: e.offsetY});
    if (touches.size === 2) {
      button(0, 0);
      pair = pairOf();
      return;
    }
    point(e);
    if (touches.size < 2) button(buttonOf(e), 1);
  });
  canvas.addEventListener('pointermove', e => {
    if (touches.has(e.pointerId)) touches.set(e.pointerId, {x: e.offsetX, y: e.offsetY});
    if (touches.size >= 2) {
      const now = pairOf();
      call('page_point', ['number', 'number'], now.x * ratio, now.y * ratio);
      wheel((pair.x - now.x) / 40, (pair.y - now.y) / 40, 0);
      if (Math.abs(now.apart - pair.apart) > 4) {
        wheel(0, (pair.apart - now.apart) / 40, 2);
        pair.apart = now.apart;
      }
      pair = {x: now.x, y: now.y, apart: pair.apart};
      return;
    }
    point(e);
  });
  const up = e => {
    const touch = touches.delete(e.pointerId);
    if (touches.size === 0) pair = null;
    if (!touch || touches.size === 0) button(touch ? 0 : buttonOf(e), 0);
    if (touch && touches.size === 0) call('page_leave', []);
  };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('pointerleave', () => { if (touches.size === 0) call('page_leave', []); });
  canvas.addEventListener('contextmenu', e => e.preventDefault());
  canvas.addEventListener('wheel', e => {
    e.preventDefault();
    const unit = [1 / 100, 1 / 3, 1][e.deltaMode];
    wheel(e.deltaX * unit, e.deltaY * unit, modifiers(e));
  }, {passive: false});

  // These stay the browser's own: reload, its tabs and windows, its tools.
  const browsers = e => ['F5', 'F11', 'F12'].includes(e.key) ||
      ((mac ? e.metaKey : e.ctrlKey) && ['r', 't', 'w', 'n'].includes(e.key.toLowerCase()));
  const key = (e, down) => {
    if (browsers(e)) return;
    const control = mac ? e.metaKey : e.ctrlKey;
    if (down && control && e.code === 'KeyV') return;  // the event 'paste' brings the text
    const typed = [...e.key].length === 1;
    call('page_key', ['string', 'string', 'number', 'number', 'number'], e.code, typed ? e.key : '', down, e.repeat ? 1 : 0,
         modifiers(e));
    if (down && typed && !control && !e.metaKey) call('page_type', ['string'], e.key);
    e.preventDefault();
  };
  window.addEventListener('keydown', e => key(e, 1));
  window.addEventListener('keyup', e => key(e, 0));
  window.addEventListener('paste', e => {
    e.preventDefault();
    call('page_paste', ['string'], e.clipboardData.getData('text/plain'));
  });
  window.addEventListener('blur', () => call('page_blur', []));
}
