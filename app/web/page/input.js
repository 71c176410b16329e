// The page's events, told to the program (app/web/page_input.cpp). Coordinates are pixels of the canvas.
'use strict';

function listenToInput(canvas, program) {
  const mac = /Mac|iPhone|iPad/.test(navigator.platform);
  const call = (name, types, ...values) => program.ccall(name, null, types, values);
  let ratio = 1;
  let small = false;  // everything is drawn smaller than it is meant to be

  // GLFW's bits. Where commands have Command, it stands for Control.
  const modifiers = e => (e.shiftKey ? 1 : 0) | ((mac ? e.metaKey : e.ctrlKey) ? 2 : 0) | (e.altKey ? 4 : 0) |
      ((mac ? e.ctrlKey : e.metaKey) ? 8 : 0);

  // The smallest window, in pixels, in which everything has its place: a small screen draws that many and shrinks them.
  const smallest = {width: 960, height: 600};
  function resize() {
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (width === 0 || height === 0) return;
    const dots = window.devicePixelRatio || 1;
    ratio = Math.max(dots, smallest.width / width, smallest.height / height);
    small = width < smallest.width || height < smallest.height;
    move(view.x, view.y, small ? view.scale : 1);
    call('page_resize', ['number', 'number', 'number'], Math.round(width * ratio), Math.round(height * ratio), dots);
    const fingers = small && (navigator.maxTouchPoints > 0 || matchMedia('(pointer: coarse)').matches);
    hint(turn, fingers && height > width);
    hint(enlarge, fingers && height <= width);
  }

  // Fingers enlarge a small screen's page, up to four times. What of a movement leads beyond its edge is returned.
  const turn = 'Turn the phone: the laboratory is wide. Two fingers moved apart enlarge it.';
  const enlarge = 'Two fingers moved apart enlarge the laboratory.';
  const view = {x: 0, y: 0, scale: 1};
  function move(x, y, scale) {
    view.scale = Math.min(4, Math.max(1, scale));
    view.x = Math.min(0, Math.max(canvas.clientWidth * (1 - view.scale), x));
    view.y = Math.min(0, Math.max(canvas.clientHeight * (1 - view.scale), y));
    canvas.style.transform = view.scale === 1 ? '' : `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
    return {x: x - view.x, y: y - view.y};
  }
  new ResizeObserver(resize).observe(canvas);
  const followDots = () => {
    resize();
    matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener('change', followDots, {once: true});
  };
  followDots();

  const pointAt = (x, y) => call('page_point', ['number', 'number'], ratio * (x - view.x) / view.scale,
                                 ratio * (y - view.y) / view.scale);
  const point = e => pointAt(e.clientX, e.clientY);
  const button = (which, down) => call('page_button', ['number', 'number'], which, down);
  const buttonOf = e => [0, 2, 1][e.button];  // ImGui's order: left, right, middle

  // One finger is the mouse. Two scroll, and pinching zooms as Ctrl and the wheel do, on a small screen the whole page.
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
    if (e.pointerType === 'touch') touches.set(e.pointerId, {x: e.clientX, y: e.clientY});
    if (touches.size === 2) {
      button(0, 0);
      pair = pairOf();
      return;
    }
    point(e);
    if (touches.size < 2) button(buttonOf(e), 1);
  });
  canvas.addEventListener('pointermove', e => {
    if (touches.has(e.pointerId)) touches.set(e.pointerId, {x: e.clientX, y: e.clientY});
    if (touches.size >= 2) {
      const now = pairOf();
      let scroll = {x: now.x - pair.x, y: now.y - pair.y};
      if (small) {
        const scale = Math.min(4, Math.max(1, view.scale * now.apart / Math.max(1, pair.apart)));
        const keeps = (place, corner) => place - (place - corner) * scale / view.scale;
        scroll = move(keeps(pair.x, view.x) + scroll.x, keeps(pair.y, view.y) + scroll.y, scale);
      } else if (Math.abs(now.apart - pair.apart) > 4) {
        wheel(0, (pair.apart - now.apart) / 40, 2);
      } else {
        now.apart = pair.apart;
      }
      pointAt(now.x, now.y);
      wheel(-scroll.x / 40, -scroll.y / 40, 0);
      pair = now;
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

  // The Latin letter of a key: what it types, or what stands at its place where letters are not Latin; '' for others.
  const letterOf = e => /^[a-z]$/i.test(e.key) ? e.key.toLowerCase() :
      e.key.length === 1 && e.key > '\u024f' && e.code.startsWith('Key') ? e.code[3].toLowerCase() : '';
  // Windows sends Ctrl and Alt for the key that types @ on many keyboards.
  const controls = e => (mac ? e.metaKey : e.ctrlKey) && !e.getModifierState('AltGraph');
  // These stay the browser's own: reload, its tabs and windows, its tools.
  const browsers = e =>
      ['F5', 'F11', 'F12'].includes(e.key) || (controls(e) && ['r', 't', 'w', 'n'].includes(letterOf(e)));
  const key = (e, down) => {
    if (browsers(e)) return;
    if (down && controls(e) && letterOf(e) === 'v') return;  // the event 'paste' brings the text
    const typed = [...e.key].length === 1;
    call('page_key', ['string', 'string', 'number', 'number', 'number'], e.code, typed ? e.key : '', down, e.repeat ? 1 : 0,
         e.getModifierState('AltGraph') ? 0 : modifiers(e));
    if (down && typed && !controls(e) && !e.metaKey) call('page_type', ['string'], e.key);
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
