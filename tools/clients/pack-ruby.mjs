// Writes the gem of the Ruby client: `node tools/clients/pack-ruby.mjs OUTPUT_FOLDER`. A gem is a tar of
// three files, so no Ruby is needed. The same sources become the same bytes.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { tar, tarGz } from './archives.mjs';

const folder = fileURLToPath(new URL('../../sdk/ruby', import.meta.url));
const license = fileURLToPath(new URL('../../LICENSE', import.meta.url));

function textOf(path) {
  return readFileSync(join(folder, path), 'utf8');
}

/** A text of the gemspec. Throws without it. */
function specified(name) {
  const [, text] = new RegExp(`spec\\.${name} = "([^"]+)"`).exec(textOf('pennytext.gemspec')) ?? [];
  if (text === undefined) throw new Error(`The gemspec has no ${name}.`);
  return text;
}

function metadata(version, paths) {
  const any = `  requirements:\n  - - ">="\n    - !ruby/object:Gem::Version\n      version: `;
  return `--- !ruby/object:Gem::Specification
name: ${specified('name')}
version: !ruby/object:Gem::Version
  version: ${version}
platform: ruby
authors:
- ${specified('author')}
autorequire:
bindir: bin
cert_chain: []
date: 1980-01-02 00:00:00.000000000 Z
dependencies: []
description: ${specified('description')}
email:
executables: []
extensions: []
extra_rdoc_files: []
files:
${paths.map((path) => `- ${path}\n`).join('')}homepage:
licenses:
- ${specified('license')}
metadata: {}
post_install_message:
rdoc_options: []
require_paths:
- lib
required_ruby_version: !ruby/object:Gem::Requirement
${any}'${specified('required_ruby_version').replace('>= ', '')}'
required_rubygems_version: !ruby/object:Gem::Requirement
${any}'0'
requirements: []
rubygems_version: 3.3.15
signing_key:
specification_version: 4
summary: ${specified('summary')}
test_files: []
`;
}

const [, version] = /VERSION = "([^"]+)"/.exec(textOf('lib/pennytext/version.rb'));
const sources = readdirSync(join(folder, 'lib'), { recursive: true }).filter((path) => path.endsWith('.rb'));
sources.sort((a, b) => a.localeCompare(b));
const paths = ['README.md', ...sources.map((path) => ['lib', path].join('/')), 'pennytext.gemspec'];
const files = [['LICENSE', readFileSync(license)], ...paths.map((path) => [path, Buffer.from(textOf(path))])];
const names = files.map(([path]) => path);
const parts = Object.entries({
  'metadata.gz': gzipSync(metadata(version, names)),
  'data.tar.gz': tarGz(files),
});
const sums = ['sha256', 'sha512'].map((algorithm) => {
  const lines = parts.map(([name, bytes]) => `  ${name}: ${createHash(algorithm).update(bytes).digest('hex')}\n`);
  return `${algorithm.toUpperCase()}:\n${lines.join('')}`;
});
const [, , output] = process.argv;
if (output === undefined) throw new Error('Name the folder to write to.');
mkdirSync(output, { recursive: true });
const name = `pennytext-${version}.gem`;
writeFileSync(join(output, name), tar([...parts, ['checksums.yaml.gz', gzipSync(`---\n${sums.join('')}`)]]));
process.stdout.write(`${name}\n`);
