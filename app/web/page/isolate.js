// Threads need a page that is isolated from others: two headers say so. A host that sends them needs nothing more; for
// all others a service worker (worker.js) adds them to every answer, from the second load on.
'use strict';

// What this tab remembers; null in a browser that lets the page remember nothing.
function memoryOfTab() {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

// Resolves to '' if threads can be used, otherwise to the reason as a sentence. The page then trains without them.
const isolated = (async () => {
  const memory = memoryOfTab();
  if (window.crossOriginIsolated) {
    memory?.removeItem('isolated');
    return '';
  }
  if (!window.isSecureContext)
    return 'This address is not secure, so the browser allows no threads: open the page over https.';
  if (!('serviceWorker' in navigator))
    return 'The browser allows no threads: it refuses service workers, and this host sends no headers for threads.';
  try {
    await navigator.serviceWorker.register('worker.js');
    await navigator.serviceWorker.ready;
  } catch (error) {
    return `The browser allows no threads: the service worker could not be started (${error.message}).`;
  }
  if (!memory || memory.getItem('isolated') === 'tried')
    return 'The browser allows no threads, although the page asked for them.';
  memory.setItem('isolated', 'tried');
  location.reload();
  return new Promise(() => {});
})();
