// Packs the files of a page into one, which opens by a double click, without a server and without threads.
// Usage: node app/web/single.js DIR FILE
'use strict';

const fs = require('fs');
const path = require('path');
const zlib = require('zlib');

const [site, file] = process.argv.slice(2);
const read = name => fs.readFileSync(path.join(site, name));
// The weights of long trainings are the largest of what comes later. One lesson needs a bandit player's.
const later = JSON.parse(read('later.json'))
    .filter(name => !name.startsWith('weights/') || name === 'weights/bandit-cosine.npz');

// What the page would fetch: a line of JSON with names and sizes, then the bytes.
const carried = [['emergence.wasm'], ['emergence.data'], ...later.map(name => ['later/' + name])]
    .map(([name]) => [name, read(name)]);
carried.push(['later.json', Buffer.from(JSON.stringify(later))]);
const index = JSON.stringify(carried.map(([name, bytes]) => [name, bytes.length])) + '\n';
const packed = zlib.gzipSync(Buffer.concat([Buffer.from(index), ...carried.map(([, bytes]) => bytes)]),
    {level: 9, memLevel: 9});

const unpack = `
window.carried = (async () => {
  const letters = atob(document.getElementById('packed').textContent);
  const packed = Uint8Array.from(letters, letter => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const all = await new Response(stream).arrayBuffer();
  let at = new Uint8Array(all).indexOf(10) + 1;
  const files = new Map();
  for (const [name, size] of JSON.parse(new TextDecoder().decode(new Uint8Array(all, 0, at))))
    files.set(name, all.slice(at, at += size));
  return files;
})();
window.fetch = async name => new Response((await window.carried).get(name));
const isolated = Promise.resolve('A page that is one file has no threads.');
`;

const script = text => `<script>${text.replace(/<\/script/g, '<\\/script')}</script>`;
const page = read('index.html').toString()
    .replace('<link rel="icon" href="emergence.svg">', '')
    .replace(/<script src="([^"]*)"><\/script>/g, (_, name) => name === 'isolate.js'
        ? `<script type="text/plain" id="packed">${packed.toString('base64')}</script>\n${script(unpack)}`
        : script(read(name).toString()));
fs.writeFileSync(file, page);
console.log(`${file}: ${(page.length / 1e6).toFixed(2)} MB`);
