// Stands in for the compiled program (emergence.js): files in memory, Emscripten's way of starting, and a record of what the
// page asks for in window.stub. What the storage does is chosen by window.storageOf, which a test sets before the page loads.
'use strict';

window.stub = {calls: [], stored: 0, started: false, arguments: null};

async function createEmergence(services) {
  const files = new Map(), waits = new Set();
  let open = () => {};
  services.FS = {
    mkdirTree() {},
    mount() {},
    writeFile: (path, text) => files.set(path, text),
    syncfs(populate, callback) {
      if (!populate) window.stub.stored++;
      const answer = (window.storageOf ?? {})[populate ? 'read' : 'store'];
      if (answer === 'silent') return;
      setTimeout(() => callback(answer ? Object.assign(new Error(answer), {name: answer}) : null), 10);
    },
  };
  services.IDBFS = {};
  services.ccall = (name, result, types, values) => window.stub.calls.push([name, ...values]);
  services.addRunDependency = name => waits.add(name);
  services.removeRunDependency = name => {
    waits.delete(name);
    if (waits.size === 0) open();
  };
  const ready = new Promise(resolve => { open = resolve; });
  waits.add('page');
  for (const before of services.preRun) before();
  services.removeRunDependency('page');
  await ready;
  Object.assign(window.stub, {started: true, arguments: services.arguments, files});
  services.windowOpened();
  for (const behind of services.postRun ?? []) behind();
}
