import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const folder = mkdtempSync(join(tmpdir(), 'qd-packages-'))
const packed = join(folder, 'packed')
/** A machine with Node and nothing of ours. */
const env = { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), HOME: folder, LANG: 'C' }

beforeAll(() => {
  const pack = fileURLToPath(new URL('../../scripts/pack.mjs', import.meta.url))
  execFileSync(process.execPath, [pack, packed], { stdio: 'ignore' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const [flags, agentFlags] = ['server', 'agent'].map(
  (app) => JSON.parse(readFileSync(new URL(`../../apps/${app}/node-flags.json`, import.meta.url), 'utf8')) as string[],
) as [string[], string[]]

const files = (end: string) =>
  readdirSync(packed)
    .filter((name) => name.endsWith(end))
    .map((name) => join(packed, name))

test('issue 18: the npm packages install without a registry or a compiler, and server, agent and qd run', async () => {
  const prefix = join(folder, 'prefix')
  execFileSync('npm', ['i', '-g', '--offline', '--prefix', prefix, ...files('.tgz')], { env, stdio: 'ignore' })
  const bin = (name: string) => join(prefix, 'bin', name)
  const run = (name: string, ...args: string[]) => spawnSync(bin(name), args, { env, encoding: 'utf8', cwd: folder })
  expect(run('qd', '--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  for (const name of ['quarterdeck-cli', 'quarterdeck-agent', 'quarterdeck-server'])
    for (const paper of ['LICENSE', 'NOTICE', 'THIRD-PARTY-NOTICES.txt'])
      expect(existsSync(join(prefix, 'lib/node_modules', name, paper)), `${name}: ${paper}`).toBe(true)
  expect(run('qd', 'diff', '/dev/null')).toMatchObject({ status: 2, stdout: '' })
  expect(run('quarterdeck-agent', '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--secret') })

  const server = spawn(bin('quarterdeck'), ['--data', join(folder, 'data'), '--port', '0'], {
    env: { ...env, QD_ADMIN_PASSWORD: 'correct horse battery' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    let said = ''
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (said += chunk))
    await expect.poll(() => said, { timeout: 60_000 }).toMatch(/ready: http:\/\/[\d.:]+/)
    const origin = /ready: (http:\/\/[\d.:]+)/.exec(said)![1]!
    for (const flag of flags) expect(readFileSync(`/proc/${server.pid}/cmdline`, 'utf8')).toContain(`\0${flag}\0`)
    expect(await (await fetch(`${origin}/dashboard`)).text()).toContain('<script')
    // It starts the agent of this machine, which comes by itself.
    const at = { ...env, QD_URL: origin, QD_USER: 'admin', QD_PASSWORD: 'correct horse battery' }
    const online = () =>
      spawnSync(bin('qd'), ['server', 'ls', 'online', '--plain', '--no-header'], { env: at, encoding: 'utf8' }).stdout
    await expect.poll(online, { timeout: 60_000 }).toContain('\t')
    expect(spawnSync(bin('qd'), ['export', '--all'], { env: at, encoding: 'utf8' }).stdout).toMatch(/^quarterdeck: 1\n/)
  } finally {
    const ended = new Promise((resolve) => server.on('exit', resolve))
    server.kill('SIGTERM')
    await ended
  }
})

test('SHA256SUMS holds what was packed; the commands of the upgrade page check it and its signature', () => {
  const page = readFileSync(new URL('../../docs/operate/upgrade.md', import.meta.url), 'utf8')
  const [checkSums, checkSignature] = [...page.matchAll(/`([^`]*SHA256SUMS [^`]*)`/g)].map(([, command]) => command!)
  const run = (command: string) => spawnSync('sh', ['-c', command], { env, cwd: packed, encoding: 'utf8' })
  const names = files('').map((file) => basename(file))
  const sums = run(checkSums!)
  expect(sums.stdout.trim().split('\n').toSorted()).toEqual(
    names
      .filter((name) => /\.(tgz|deb)$/.test(name))
      .map((name) => `${name}: OK`)
      .toSorted(),
  )

  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = join(folder, 'key.pem')
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(join(packed, 'release.pem'), publicKey.export({ type: 'spki', format: 'pem' }))
  const script = fileURLToPath(new URL('../../scripts/checksums.mjs', import.meta.url))
  const write = `import { writeChecksums } from ${JSON.stringify(script)}; writeChecksums(${JSON.stringify(packed)}, ${JSON.stringify([...files('.tgz'), ...files('.deb')])})`
  execFileSync(process.execPath, ['--input-type=module', '-e', write], { env: { ...process.env, QD_RELEASE_KEY: key } })
  expect(run(checkSignature!)).toMatchObject({ status: 0, stdout: expect.stringContaining('Verified Successfully') })
  appendFileSync(join(packed, 'SHA256SUMS'), ' ')
  expect(run(checkSignature!).status).not.toBe(0)
  appendFileSync(files('.tgz')[0]!, ' ')
  expect(run(checkSums!).status).not.toBe(0)
})

const hasDpkg = spawnSync('dpkg', ['--version']).status === 0

test.runIf(hasDpkg)(
  'issue 18: the Debian packages install, remove and purge below another root; their scripts make the account',
  () => {
    const root = join(folder, 'root')
    for (const path of ['updates', 'info']) mkdirSync(join(root, 'var/lib/dpkg', path), { recursive: true })
    for (const file of ['status', 'available']) writeFileSync(join(root, 'var/lib/dpkg', file), '')
    const force = ['--force-script-chrootless', '--force-not-root', '--force-depends', '--log=/dev/null']
    const dpkg = (...args: string[]) =>
      execFileSync('dpkg', [`--root=${root}`, ...force, ...args], {
        env: { ...env, PATH: `${env.PATH}:/usr/sbin:/sbin` },
        stdio: 'pipe',
      })
    const at = (path: string) => join(root, path)

    dpkg('-i', ...files('.deb'))
    // What is missing is named by apt: Node of the major version that the database driver was built for, and the C library.
    const major = Number(process.versions.node.split('.')[0])
    const needs = (name: string) => /^Depends: (.*)$/m.exec(dpkg('-s', name).toString())![1]!.replace(/2\.\d+/, '2.N')
    expect(needs('quarterdeck')).toBe(
      `nodejs (>= 20.19), nodejs (<< ${major + 1}), libc6 (>= 2.N), libstdc++6, adduser`,
    )
    expect(needs('quarterdeck-agent')).toBe('nodejs (>= 20.19), libc6 (>= 2.N), libstdc++6')
    for (const name of ['quarterdeck', 'quarterdeck-agent']) {
      const unit = readFileSync(at(`usr/lib/systemd/system/${name}.service`), 'utf8')
      expect(unit).toMatch(new RegExp(`^ExecStart=/usr/bin/${name}( \\$QD_FLAGS)?$`, 'm'))
      // As docs/operate/standby.md says of a server that has lost the database.
      expect(unit).toContain('\nRestart=always\n')
      if (existsSync('/usr/bin/systemd-analyze')) {
        const copy = join(folder, `${name}.service`)
        writeFileSync(copy, unit.replace(`=/usr/bin/${name}`, '=/bin/true'))
        const verify = ['verify', '--man=no', '--recursive-errors=no', copy]
        expect(spawnSync('systemd-analyze', verify, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
      }
      // Its command keeps data where the unit has them, also where an administrator calls it.
      const command = readFileSync(at(`usr/bin/${name}`), 'utf8')
      expect(command).toContain(`QD_DATA="\${QD_DATA:-/var/lib/${name}}"`)
      expect(unit).toContain(`\nStateDirectory=${name}\n`)
      if (name === 'quarterdeck-agent') for (const flag of agentFlags) expect(command).toContain(` node ${flag} `)
      const page = gunzipSync(readFileSync(at(`usr/share/man/man8/${name}.8.gz`))).toString()
      expect(page).toContain(name === 'quarterdeck' ? '\\-\\-data' : '\\-\\-secret')
      expect(page).toContain(`Usage: ${name.replace('-', '\\-')} `)
      const main = /exec \/usr\/bin\/env (?:\S+=\S+ )*node (?:--\S+ )*\/(\S+)/.exec(command)![1]!
      expect(spawnSync(process.execPath, [at(main), '--help'], { env, encoding: 'utf8' }).status).toBe(0)
    }
    expect(gunzipSync(readFileSync(at('usr/share/man/man1/qd.1.gz'))).toString()).toMatch(/^\.TH QD 1[\s\S]*Exit codes/)
    expect(readFileSync(at('usr/share/bash-completion/completions/qd'), 'utf8')).toContain('complete')
    expect(
      spawnSync(process.execPath, [at('usr/lib/quarterdeck/apps/tui/bin/qd.js'), '--version'], { env }).status,
    ).toBe(0)

    mkdirSync(at('var/lib/quarterdeck'), { recursive: true })
    writeFileSync(at('var/lib/quarterdeck/quarterdeck.db'), 'kept')
    const enabled = at('etc/systemd/system/multi-user.target.wants/quarterdeck.service')
    mkdirSync(dirname(enabled), { recursive: true })
    writeFileSync(enabled, '')
    dpkg('-r', 'quarterdeck', 'quarterdeck-agent')
    expect(existsSync(enabled)).toBe(true)
    expect(existsSync(at('usr/bin/quarterdeck'))).toBe(false)
    expect(existsSync(at('etc/quarterdeck/server.env'))).toBe(true)
    expect(existsSync(at('var/lib/quarterdeck/quarterdeck.db'))).toBe(true)
    dpkg('--purge', 'quarterdeck', 'quarterdeck-agent')
    expect(existsSync(enabled)).toBe(false)
    for (const path of ['etc/quarterdeck', 'etc/quarterdeck-agent', 'var/lib/quarterdeck', 'usr/lib/quarterdeck']) {
      expect(existsSync(at(path)), path).toBe(false)
    }

    // On a machine of its own the account is made once.
    const control = join(folder, 'control')
    execFileSync('dpkg-deb', ['-e', files('.deb').find((name) => /quarterdeck_/.test(name))!, control])
    const stubs = join(folder, 'stubs')
    mkdirSync(stubs)
    for (const [name, code] of [
      ['getent', 2],
      ['adduser', 0],
      ['chown', 0],
      ['systemctl', 0],
    ] as const) {
      writeFileSync(join(stubs, name), `#!/bin/sh\necho ${name} "$@" >> ${stubs}/log\nexit ${code}\n`)
      chmodSync(join(stubs, name), 0o755)
    }
    const alone = { env: { PATH: `${stubs}:/usr/bin:/bin` }, encoding: 'utf8' } as const
    const said = execFileSync('sh', [join(control, 'postinst'), 'configure', ''], alone)
    expect(readFileSync(join(stubs, 'log'), 'utf8')).toMatch(
      /adduser --system --group [\s\S]* quarterdeck\nchown root:quarterdeck [\s\S]*systemctl enable quarterdeck.service\n/,
    )
    expect(said).toContain('journalctl -u quarterdeck')
    // A later install keeps what the administrator chose.
    writeFileSync(join(stubs, 'log'), '')
    expect(execFileSync('sh', [join(control, 'postinst'), 'configure', '0.0.9'], alone)).toBe('')
    expect(readFileSync(join(stubs, 'log'), 'utf8')).not.toContain('systemctl enable')
  },
)

/** A bare Debian with Node of this major version, made by `debootstrap --variant=minbase --include=nodejs,adduser trixie ROOT`. */
const bareRoot = process.env.QD_BARE_ROOT
const isBare = bareRoot !== undefined && existsSync(bareRoot) && process.getuid?.() === 0
if (!isBare)
  process.stderr.write(
    'the Debian packages are not started in a bare Debian: QD_BARE_ROOT names none, or this is not root\n',
  )

test.runIf(isBare)(
  'in a bare Debian, the packages install, the server runs as its own user, and an agent enrolls',
  async () => {
    const root = join(folder, 'bare')
    execFileSync('cp', ['-a', '--reflink=auto', bareRoot!, root])
    for (const file of files('.deb')) execFileSync('cp', [file, join(root, 'tmp')])
    // What a call leaves behind ends with it.
    const namespace = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c']
    const enter = 'mount -t proc proc "$1/proc" && exec chroot "$1" sh -c "$2"'
    const inside = (script: string) =>
      spawn('unshare', [...namespace, enter, 'sh', root, script], {
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LANG: 'C' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    const listen = (child: ReturnType<typeof inside>) => {
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
      return () => said
    }
    const run = async (script: string) => {
      const child = inside(script)
      const said = listen(child)
      const code = await new Promise((resolve) => child.on('close', resolve))
      expect(code, said()).toBe(0)
      return said()
    }
    await run('dpkg -i /tmp/*.deb && install -d -o quarterdeck -g quarterdeck /var/lib/quarterdeck')
    const as = 'setpriv --reuid=quarterdeck --regid=quarterdeck --clear-groups'
    const password = 'correct horse battery'
    const children = [inside(`QD_ADMIN_PASSWORD='${password}' exec ${as} quarterdeck --no-agent --port 0`)]
    try {
      const said = listen(children[0]!)
      await expect.poll(said, { timeout: 60_000 }).toMatch(/ready: http:\/\/[\d.:]+/)
      const [, origin, host] = /ready: (http:\/\/([\d.:]+))/.exec(said())!
      const qd = (words: string) => run(`QD_URL=${origin} QD_USER=admin QD_PASSWORD='${password}' qd ${words}`)
      await qd(`setting set --install-host ${host}`)
      const [, code] = /QD_CODE=(\S+)/.exec(await qd('server install --os linux'))!
      children.push(inside(`NZ_SERVER=${host} QD_CODE=${code} exec quarterdeck-agent`))
      const agentSaid = listen(children[1]!)
      await expect.poll(() => qd('server ls online --plain --no-header'), { timeout: 60_000 }).toContain('\t')
      expect(agentSaid()).toContain(`reporting to ${host}`)
      expect(await qd("exec --all --yes -- 'cat /etc/debian_version'")).toContain('exit 0')
    } finally {
      for (const child of children) {
        const ended = new Promise((resolve) => child.on('exit', resolve))
        child.kill('SIGKILL')
        await ended
      }
    }
  },
)
