// Debian packages of the server (with qd) and the agent: a systemd unit each, completions and man pages.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '../install.mjs'
import { enginesOf, programs, stage, version } from '../stage.mjs'

const architectures = { x64: 'amd64', arm64: 'arm64', arm: 'armhf' }

const here = (name) => readFileSync(new URL(name, import.meta.url), 'utf8')

function write(file, text, mode = 0o644) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, mode)
}

/** A command of a package, as a shell calls it. A program with a data folder uses that of its service, also by hand. */
function command(main, { data, flags = [], environment = {} } = {}) {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const words = ['/usr/bin/env', ...variables, 'node', ...flags, main]
  const where = data ? `export QD_DATA="\${QD_DATA:-${data}}"\n` : ''
  return `#!/bin/sh\n${where}exec ${words.join(' ')} "$@"\n`
}

/** A man page around what a program says of itself. */
function manPage(name, section, about, text) {
  const lines = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .split('\n')
    .map((line) => (/^[.']/.test(line) ? `\\&${line}` : line))
  const head = [`.TH ${name.toUpperCase()} ${section} "" "Quarterdeck ${version}"`, '.SH NAME', `${name} \\- ${about}`]
  return gzipSync([...head, '.SH DESCRIPTION', '.nf', ...lines, '.fi', ''].join('\n'), { level: 9 })
}

const said = (...args) =>
  execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, LANG: 'C', QD_LANG: 'en-US' } })

/** qd beside the server: the command, its completions and its page. */
function addQd(folder) {
  const lib = 'usr/lib/quarterdeck/apps/tui'
  for (const part of ['dist', 'bin']) cpSync(join(root, 'apps/tui', part), join(folder, lib, part), { recursive: true })
  write(join(folder, 'usr/bin/qd'), command(`/${lib}/bin/qd.js`), 0o755)
  const qd = join(root, 'apps/tui/bin/qd.js')
  write(join(folder, 'usr/share/bash-completion/completions/qd'), said(qd, 'completion', 'bash'))
  write(join(folder, 'usr/share/zsh/vendor-completions/_qd'), said(qd, 'completion', 'zsh'))
  write(join(folder, 'usr/share/fish/vendor_completions.d/qd.fish'), said(qd, 'completion', 'fish'))
  const topics = ['environment', 'exit-codes', 'query', 'output'].map((topic) => said(qd, 'help', topic))
  const text = [said(qd, '--help'), ...topics].join('\n')
  write(join(folder, 'usr/share/man/man1/qd.1.gz'), manPage('qd', 1, programs.qd.about, text))
}

const packages = {
  quarterdeck: {
    needs: ['adduser'],
    more: 'The web console, history, and alerts of a fleet, with qd, its terminal UI and command line.',
    config: 'quarterdeck/server.env',
    add: addQd,
  },
  'quarterdeck-agent': {
    needs: [],
    more: 'Reports metrics of this host to a Quarterdeck server, and runs tasks for its admins.',
    config: 'quarterdeck-agent/agent.env',
    add() {},
  },
}

/** The versions of Node that a package depends on, as `engines` says it: `>=20.19 <21`. */
const nodeOf = (program) =>
  enginesOf(program)
    .node.split(' ')
    .map((range) => range.replace(/^(>=|<)(.*)/, (_, sign, than) => `nodejs (${sign === '<' ? '<<' : sign} ${than})`))

/** The C libraries that the native modules below a folder were built against. Sets the modules' modes to those of libraries. */
function nativeNeeds(folder) {
  const natives = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.node'))
  const versions = natives.flatMap((name) => {
    chmodSync(join(folder, name), 0o644)
    return [...readFileSync(join(folder, name), 'latin1').matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor))
  })
  return [`libc6 (>= 2.${Math.max(...versions)})`, 'libstdc++6']
}

/** The paper that Debian wants of every package (DEP-5). */
const copyright = (lib) => `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Quarterdeck

Files: *
Copyright: 2026 The Quarterdeck authors
License: Apache-2.0
 The license is in /usr/share/common-licenses/Apache-2.0.
 Licenses of modules that it contains: /${lib}/THIRD-PARTY-NOTICES.txt
`

/** Builds both; returns their files. */
export function debianPackages(work, target) {
  const architecture = architectures[process.arch]
  if (process.platform !== 'linux' || !architecture) return []
  return Object.entries(packages).map(([name, { needs, more, config, add }]) => {
    const { about, main, flags, environment } = programs[name]
    const data = `/var/lib/${name}`
    const folder = join(work, 'debian', name)
    const lib = `usr/lib/${name}`
    stage(name, join(folder, lib))
    write(join(folder, 'usr/bin', name), command(`/${lib}/${main}`, { data, flags, environment }), 0o755)
    write(join(folder, `usr/lib/systemd/system/${name}.service`), here(`${name}.service`))
    write(join(folder, 'etc', config), here(`${name}.env`), 0o640)
    write(join(folder, `usr/share/man/man8/${name}.8.gz`), manPage(name, 8, about, said(join(root, main), '--help')))
    write(join(folder, 'usr/share/doc', name, 'copyright'), copyright(lib))
    add(folder)
    for (const script of ['postinst', 'prerm', 'postrm'])
      write(join(folder, 'DEBIAN', script), here(script).replaceAll('@NAME@', name), 0o755)
    write(join(folder, 'DEBIAN/conffiles'), `/etc/${config}\n`)
    const control = [
      `Package: ${name}`,
      `Version: ${version}`,
      `Architecture: ${architecture}`,
      'Maintainer: Quarterdeck <packages@quarterdeck.invalid>',
      `Depends: ${[...nodeOf(name), ...nativeNeeds(join(folder, lib)), ...needs].join(', ')}`,
      'Section: admin',
      'Priority: optional',
      `Description: ${about}`,
      ` ${more}`,
      '',
    ]
    write(join(folder, 'DEBIAN/control'), control.join('\n'))
    const file = join(target, `${name}_${version}_${architecture}.deb`)
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '--build', folder, file], { stdio: 'ignore' })
    return file
  })
}
