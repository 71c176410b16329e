// Threads need a page that is isolated from others: two headers say so. A host that sends them needs nothing more; for
// all others a service worker (worker.js) adds them to every answer, from the second load on.
'use strict';

// Resolves to '' if threads can be used, otherwise to the reason as a sentence.
const isolated = (async () => {
  if (window.crossOriginIsolated) return '';
  if (!window.isSecureContext)
    return 'This address is not secure: browsers then refuse threads. Open the page over https.';
  if (!('serviceWorker' in navigator))
    return 'This browser refuses service workers (a private window?), and this host sends no headers for threads.';
  try {
    await navigator.serviceWorker.register('worker.js');
    await navigator.serviceWorker.ready;
  } catch (error) {
    return `The service worker that allows threads could not be started: ${error.message}`;
  }
  if (sessionStorage.getItem('isolated') === 'tried')
    return 'This browser refuses threads, although the page asked for them.';
  sessionStorage.setItem('isolated', 'tried');
  location.reload();
  return new Promise(() => {});
})();
