// Loads the program, gives it what the page's address asks for, and keeps its folder in the browser's storage.
'use strict';

const home = '/home/web_user';
const brought = '/brought';  // files that were dropped or chosen, and the state that a link holds
const laterDelay = 1000;     // milliseconds from the start
const words = document.getElementById('words');
const note = document.getElementById('note');
const bar = document.getElementById('bar');

function say(sentence) {
  words.textContent = sentence;
  bar.hidden = true;
  note.hidden = false;
}

// Over the picture, until it is clicked away.
function hint(sentence) {
  document.getElementById('hint').hidden = false;
  document.getElementById('hint-words').textContent = sentence;
}
document.getElementById('hint-close').addEventListener('click', () => {
  document.getElementById('hint').hidden = true;
  document.getElementById('canvas').focus();
});

// A state as text is packed into the part of the address behind '#', which is sent to no host.
const through = (stream, bytes) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();

async function packed(text) {
  const bytes = new Uint8Array(await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(text)));
  const letters = btoa(String.fromCharCode(...bytes));
  return letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

// A short link may unpack to gigabytes: no state is longer than the program reads (core/files/limits.h).
async function unpacked(letters) {
  const longest = 2 ** 20;
  const bytes = Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > longest) throw new RangeError('longer than any state');
    parts.push(part.value);
  }
  return new Blob(parts).text();
}

// '?preset=opening&theme=light' are the options --preset opening --theme light; 'file=NAME' is a shipped file.
function optionsInAddress() {
  const options = ['--preferences'];
  const files = [];
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (name === 'file') files.push(value.startsWith('/') ? value : '/assets/' + value);
    else if (value === '') options.push('--' + name);
    else options.push('--' + name, value);
  }
  return {options, files};
}

// Null if the address holds none.
async function stateInAddress() {
  if (!location.hash.startsWith('#state=')) return null;
  try {
    return await unpacked(location.hash.slice('#state='.length));
  } catch {
    history.replaceState(null, '', location.pathname + location.search);
    hint('The state in this link is damaged: the link was probably cut off. Ask for the whole link. ' +
         'This is the laboratory as you left it.');
    return null;
  }
}

// What the program calls.
function servicesOf(canvas) {
  const files = document.getElementById('files');
  const services = {
    canvas,
    copyText(text) {
      navigator.clipboard?.writeText(text).catch(() => {});
      if (/^\s*experiment = "/m.test(text))
        packed(text).then(letters => history.replaceState(null, '', '#state=' + letters));
    },
    download(path) {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([services.FS.readFile(path)]));
      link.download = path.slice(path.lastIndexOf('/') + 1);
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    },
    chooseFiles(folders) {
      files.webkitdirectory = folders;
      files.value = '';
      files.click();
    },
    windowOpened() {
      note.hidden = true;
      listenToInput(canvas, services);
      canvas.focus();
    },
    ended: say,
    hintAtLink: why => hint(`The link cannot be opened: ${why.replace(/[.\s]*$/, '')}. This is the laboratory as you left it.`),
    print: line => console.log(line),
    printErr: line => console.warn(line),
    setStatus(text) {
      const share = /\((\d+(?:\.\d+)?)\/(\d+)\)/.exec(text);
      if (share) Object.assign(bar, {value: Number(share[1]), max: Number(share[2])});
    },
  };
  canvas.addEventListener('webglcontextlost', () => say('The browser has taken the graphics away. Load the page again.'));
  files.addEventListener('change', () => bring(services, [...files.files]));
  document.addEventListener('dragover', e => e.preventDefault());
  document.addEventListener('drop', e => {
    e.preventDefault();
    bring(services, [...e.dataTransfer.files]);
  });
  return services;
}

// Files of a chosen folder keep their places in it, and the folder is opened.
async function bring(services, files) {
  const tops = new Set();
  for (const file of files) {
    const path = `${brought}/${file.webkitRelativePath || file.name}`;
    services.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
    services.FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
    tops.add(`${brought}/${(file.webkitRelativePath || file.name).split('/')[0]}`);
  }
  for (const path of tops) services.ccall('page_drop', null, ['string'], [path]);
}

// The program is compiled for threads, so it needs shared memory. A page without threads may allocate shared memory, but
// the name SharedArrayBuffer is hidden from it. Emscripten's loader waits for threads that are never started, so the
// program is instantiated here.
function goWithoutThreads(services) {
  window.SharedArrayBuffer ??= new WebAssembly.Memory({initial: 0, maximum: 0, shared: true}).buffer.constructor;
  services.instantiateWasm = (imports, receive) => {
    fetch('emergence.wasm').then(answer => answer.arrayBuffer()).then(code => WebAssembly.instantiate(code, imports))
        .then(made => {
          receive(made.instance, made.module);
          services.removeRunDependency('wasm-instantiate');
        })
        .catch(error => say(`The laboratory could not be started: ${error.message ?? error}`));
    return {};
  };
}

// Storing replaces what the browser holds by what this page holds: of several pages at one address one may do it. False
// if another page does; a page that is being left gets a second for its end.
function mayStore() {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise(resolve => {
    navigator.locks.request('stored folder', {signal: AbortSignal.timeout(1000)}, () => {
      resolve(true);
      return new Promise(() => {});  // until the page ends
    }).catch(() => resolve(false));
  });
}

// Loads the stored folder before the program starts, and stores it every few seconds.
function keepFolder(services) {
  services.FS.mkdirTree(home);
  services.FS.mkdirTree(brought);
  services.FS.mount(services.IDBFS, {}, home);
  services.addRunDependency('storage');
  let busy = true;
  const done = () => { busy = false; };
  const refuse = why => hint(`${why} Runs and preferences of this page are lost when it is closed.`);
  let failures = 0;  // one after the other: a file that is renamed meanwhile costs one
  const failed = error => {
    console.warn('nothing is stored:', error);
    if (++failures === 3) refuse('The browser stores nothing for this page.');
  };
  services.FS.syncfs(true, async error => {
    if (error) console.warn('nothing could be read from the storage:', error);
    if (await mayStore()) done();
    else refuse('The laboratory is open in another tab, which stores its runs: close it and load this page again.');
    services.removeRunDependency('storage');
  });
  const store = () => {
    if (busy) return;
    busy = true;
    services.FS.syncfs(false, error => {
      if (error)
        failed(error);
      else
        failures = 0;
      done();
    });
  };
  setInterval(store, 3000);
  document.addEventListener('visibilitychange', store);
  services.storeNow = store;
}

// What the first picture does not need: trained weights, the runs of lessons, sweeps, the handbook's pictures.
async function fetchLater(services) {
  const names = await (await fetch('later.json')).json();
  const fetchNext = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const path = '/assets/' + name;
      const answer = await fetch('later/' + name);
      if (!answer.ok) continue;
      services.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
      services.FS.writeFile(path, new Uint8Array(await answer.arrayBuffer()));
    }
  };
  await Promise.all([fetchNext(), fetchNext(), fetchNext(), fetchNext()]);
}

(async () => {
  const trouble = await isolated;
  const services = servicesOf(document.getElementById('canvas'));
  services.threads = trouble === '';
  if (services.threads) {
    sessionStorage.removeItem('isolated');
  } else {
    goWithoutThreads(services);
    hint(`${trouble} Training therefore takes turns with the picture and is slower; sweeps are unavailable.`);
  }
  const {options, files} = optionsInAddress();
  const state = await stateInAddress();
  if (state !== null) files.push(`${brought}/state.toml`);
  services.arguments = [...options, ...files];
  const waits = files.length > 0;  // a lesson may open its run at once
  services.preRun = [() => {
    keepFolder(services);
    const later = () => fetchLater(services).catch(error => console.warn('not all files have come:', error));
    if (waits) {
      services.addRunDependency('later');
      later().finally(() => services.removeRunDependency('later'));
    } else {
      services.postRun = [() => setTimeout(later, laterDelay)];  // training has begun
    }
    if (state !== null) services.FS.writeFile(`${brought}/state.toml`, state);
  }];
  window.emergence = services;
  try {
    await createEmergence(services);
  } catch (error) {
    say(`The laboratory could not be started: ${error.message ?? error}`);
  }
})();
