// Packs the files of a page beside them, as FILE.br and FILE.gz, for hosts that send what lies there packed.
// Usage: node app/web/pack.js DIR
'use strict';

const fs = require('fs');
const path = require('path');
const zlib = require('zlib');

const worth = 2000;  // bytes
const packed = ['.png', '.npz', '.br', '.gz'];

function filesIn(folder) {
  return fs.readdirSync(folder, {withFileTypes: true}).flatMap(entry => {
    const at = path.join(folder, entry.name);
    return entry.isDirectory() ? filesIn(at) : [at];
  });
}

for (const file of filesIn(process.argv[2])) {
  const {size, mtimeMs} = fs.statSync(file);
  if (size < worth || packed.includes(path.extname(file))) continue;
  if (fs.existsSync(file + '.br') && fs.statSync(file + '.br').mtimeMs >= mtimeMs) continue;
  const bytes = fs.readFileSync(file);
  const limits = {[zlib.constants.BROTLI_PARAM_LGWIN]: 24, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: size};
  fs.writeFileSync(file + '.gz', zlib.gzipSync(bytes, {level: 9}));
  fs.writeFileSync(file + '.br', zlib.brotliCompressSync(bytes, {params: limits}));
}
