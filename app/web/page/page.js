// Loads the program, gives it what the page's address asks for (address.js), and keeps its folder (storage.js).
'use strict';

const laterDelay = 1000;     // milliseconds from the start
const largestFile = 2 ** 28;  // bytes, as core/files/text.h has them
const words = document.getElementById('words');
const note = document.getElementById('note');
const bar = document.getElementById('bar');

function say(sentence) {
  words.textContent = sentence;
  bar.hidden = true;
  note.hidden = false;
}

// Sentences over the picture, until they are clicked away, or do not apply any more.
function hint(sentence, applies = true) {
  const box = document.getElementById('hint'), said = document.getElementById('hint-words');
  const others = said.textContent.split('\n').filter(one => one !== '' && one !== sentence);
  if (!applies && others.length === said.textContent.split('\n').length) return;
  said.textContent = (applies ? [...others, sentence] : others).join('\n');
  box.hidden = said.textContent === '';
}
document.getElementById('hint-close').addEventListener('click', () => {
  document.getElementById('hint').hidden = true;
  document.getElementById('hint-words').textContent = '';
  document.getElementById('canvas').focus();
});

// Another link, pasted into the address of the open page.
addEventListener('hashchange', () => location.reload());

// What the program calls.
function servicesOf(canvas) {
  const files = document.getElementById('files');
  const services = {
    canvas,
    copyText(text) {
      navigator.clipboard?.writeText(text).catch(() => {});
      if (/^\s*experiment = "/m.test(text))
        packed(text).then(letters => {
          history.replaceState(null, '', '#state=' + letters);
          hint("This page's address is a link to this state. With a copy of the page as one file, append what follows #.");
        });
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
    if (file.size > largestFile) {
      hint(`${file.name} was not opened: it is larger than 256 MiB, the most that is read.`);
      continue;
    }
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
  const carried = await window.carried;  // of a page that is one file (single.js)
  if (carried) services.getPreloadedPackage = () => carried.get('emergence.data');
  services.threads = trouble === '';
  if (!services.threads) {
    goWithoutThreads(services);
    hint(`${trouble} Training therefore takes turns with the picture and is slower; sweeps are unavailable.`);
  }
  const {options, files, trouble: refused} = optionsInAddress(location.search);
  if (refused !== '') services.hintAtLink(refused);
  const state = await stateInAddress();
  if (state !== null) files.push(`${brought}/state.toml`);
  services.arguments = [...files, ...options];
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
