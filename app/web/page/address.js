// What the page's address may say. A link comes from anybody: it opens what the laboratory can show, and does nothing else.
'use strict';

const mayBeSaid = ['preset', 'experiment', 'set', 'seeds', 'threads', 'pace', 'paused', 'theme', 'ui-scale', 'step', 'trace'];
const largestState = 1 << 20;  // bytes that the program reads (core/files/text.h); a short link may unpack to gigabytes

// '?preset=opening&theme=light' are the options --preset=opening --theme=light; 'file=NAME' is a shipped file. Files come
// first, so that no option takes them for its own. With `trouble`, a sentence, the address says nothing that counts.
function optionsInAddress(search) {
  const said = {options: ['--preferences'], files: [], trouble: ''};
  const refused = why => ({options: ['--preferences'], files: [], trouble: why});
  for (const [name, value] of new URLSearchParams(search)) {
    if (name === 'file') {
      if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(value))
        return refused(`file=${value} is no file of the laboratory. Write its path below assets, as in file=lessons/tour.toml.`);
      said.files.push('/assets/' + value);
    } else if (!mayBeSaid.includes(name)) {
      return refused(`a link cannot say '${name}'. It may say file, ${mayBeSaid.join(', ')}.`);
    } else {
      said.options.push(value === '' ? `--${name}` : `--${name}=${value}`);
    }
  }
  return said;
}

// A state as text is packed into the part of the address behind '#', which is sent to no host.
async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const letters = btoa(String.fromCharCode(...new Uint8Array(await new Response(stream).arrayBuffer())));
  return letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function unpacked(letters) {
  const bytes = Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const text = new TextDecoder();
  let state = '', size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > largestState) throw new Error('too large');
    state += text.decode(part.value, {stream: true});
  }
  return state + text.decode();
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
