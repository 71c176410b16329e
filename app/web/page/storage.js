// Keeps the page's folder in the browser's storage. What is stored is never replaced by less than was read from it.
'use strict';

const home = '/home/web_user';
const brought = '/brought';     // files that were dropped or chosen, and the state that a link holds
const longestRead = 15000;      // milliseconds, after which the page starts without
const longestStore = 60000;
const storeEvery = 3000;

const after = (milliseconds, what) =>
    new Promise((_, fail) => setTimeout(() => fail(new Error(what)), milliseconds));

// Of several pages at one address one may store. Resolves to whether this one may; a page that is being left gets a
// second for its end.
function mayStore() {
  if (!navigator.locks) return mayStoreByTalk();
  return new Promise(resolve => {
    const patience = new AbortController();
    setTimeout(() => patience.abort(), 1000);
    navigator.locks.request('stored folder', {signal: patience.signal}, () => {
      resolve(true);
      return new Promise(() => {});  // until the page ends
    }).catch(() => resolve(false));
  });
}

// An address without https has no locks: pages ask each other. Of two that ask at once the one with the smaller number
// may store.
function mayStoreByTalk() {
  if (!window.BroadcastChannel) return Promise.resolve(false);
  return new Promise(resolve => {
    const pages = new BroadcastChannel('stored folder'), own = Math.random();
    let may = true, decided = false;
    pages.onmessage = ({data}) => {
      if (!may || data === 'taken') may = may && decided;
      else if (decided || own < data) pages.postMessage('taken');
    };
    pages.postMessage(own);
    setTimeout(() => {
      decided = true;
      resolve(may);
    }, 500);
  });
}

// Emscripten's own loses the error, stores the rest all the same, and does not notice a transaction that is aborted.
function storeEntry(files, path, entry, callback) {
  const failed = error => callback(error ?? new Error('the browser has stopped storing'));
  files.transaction.onabort = () => failed(files.transaction.error);
  try {
    const request = files.put(entry, path);
    request.onsuccess = () => callback(null);
    request.onerror = () => {
      failed(request.error);
      files.transaction.abort();
    };
  } catch (error) {
    failed(error);
    files.transaction.abort();
  }
}

const synchronised = (services, populate, longest) => Promise.race([
  after(longest, 'the browser does not answer'),
  new Promise((done, fail) => services.FS.syncfs(populate, error => error ? fail(error) : done())),
]);

// Loads the stored folder before the program starts, and stores it every few seconds. Without any storage, or after a
// reading that failed, the program starts all the same, and nothing is stored.
function keepFolder(services) {
  const refuse = why => hint(`${why} Runs and preferences of this page are lost when it is closed.`);
  let may = false, busy = false, failures = 0;
  services.FS.mkdirTree(home);
  services.FS.mkdirTree(brought);
  services.addRunDependency('storage');
  (async () => {
    const alone = await mayStore();
    try {
      Object.assign(services.IDBFS ?? {}, {storeRemoteEntry: storeEntry});
      services.FS.mount(services.IDBFS, {}, home);
      await synchronised(services, true, longestRead);
      may = alone;
      if (!may)
        refuse('The laboratory is open in another tab, which stores its runs: close it and load this page again.');
    } catch (error) {
      console.warn('nothing could be read from the storage:', error);
      refuse('The browser\'s storage cannot be read. What it holds stays as it is, and this page stores nothing: ' +
             'load it again, or allow it to store data.');
    }
    services.removeRunDependency('storage');
  })();
  const store = async () => {
    if (!may || busy) return;
    busy = true;
    try {
      await synchronised(services, false, longestStore);
      failures = 0;
    } catch (error) {
      console.warn('nothing is stored:', error);
      const full = error.name === 'QuotaExceededError';
      ++failures;  // one after the other: a file that is renamed meanwhile costs one
      if (full && failures === 1)
        refuse('The browser has no room left for this page\'s runs. What was stored before stays. Export what you ' +
               'need (Ctrl + E), or give the page more room.');
      else if (!full && failures === 3)
        refuse('The browser stores nothing for this page.');
    }
    busy = false;
  };
  setInterval(store, storeEvery);
  document.addEventListener('visibilitychange', store);
  services.storeNow = store;
}
