import type { Machine } from './machines.ts'

export interface Answer {
  readonly output: string
  readonly code: number
}

const GiB = 2 ** 30
const gib = (bytes: number) => `${(bytes / GiB).toFixed(1)}G`
const pad = (text: string | number, width: number) => String(text).padStart(width)
const percent = (part: number, whole: number) => `${Math.round((100 * part) / whole)}%`

const programs: Readonly<Record<string, (machine: Machine, at: number, words: readonly string[]) => string>> = {
  uptime({ sampleAt }, at) {
    const { uptime, load_1, load_5, load_15 } = sampleAt(at)
    const [days, hours, minutes] = [uptime / 86_400, (uptime / 3600) % 24, (uptime / 60) % 60].map(Math.floor)
    const clock = new Date(at).toISOString().slice(11, 19)
    const loads = [load_1, load_5, load_15].map((load) => load.toFixed(2)).join(', ')
    return ` ${clock} up ${days} days, ${pad(hours!, 2)}:${String(minutes).padStart(2, '0')},  0 users,  load average: ${loads}`
  },
  df({ host, sampleAt }, at) {
    const used = sampleAt(at).disk_used
    const total = host.disk_total
    return [
      'Filesystem      Size  Used Avail Use% Mounted on',
      `/dev/vda1    ${pad(gib(total), 7)} ${pad(gib(used), 6)} ${pad(gib(total - used), 6)} ${pad(percent(used, total), 4)} /`,
      `tmpfs        ${pad(gib(host.mem_total / 2), 7)}      0 ${pad(gib(host.mem_total / 2), 6)}   0% /dev/shm`,
    ].join('\n')
  },
  free({ host, sampleAt }, at) {
    const { mem_used, swap_used } = sampleAt(at)
    const row = (name: string, total: number, used: number) =>
      `${name.padEnd(6)}${[total, used, total - used].map((bytes) => pad(Math.round(bytes / 2 ** 20), 12)).join('')}`
    return [
      `${' '.repeat(6)}       total        used        free`,
      row('Mem:', host.mem_total, mem_used),
      row('Swap:', host.swap_total, swap_used),
    ].join('\n')
  },
  uname: ({ name, host }, _at, words) =>
    words.includes('-a') ? `Linux ${name} 6.1.0-demo #1 SMP ${host.arch} GNU/Linux` : 'Linux',
  hostname: ({ name }) => name,
  whoami: () => 'demo',
  id: () => 'uid=1000(demo) gid=1000(demo) groups=1000(demo)',
  pwd: () => '/home/demo',
  date: (_machine, at) => new Date(at).toUTCString(),
  echo: (_machine, _at, words) => words.join(' ').replaceAll(/["']/g, ''),
  nproc: ({ host }) => /\d+/.exec(host.cpu?.[0] ?? '')?.[0] ?? '1',
  true: () => '',
  ls: () => 'README.txt',
  cat: (machine, _at, words) =>
    words[0]?.endsWith('os-release')
      ? `ID=${machine.host.platform}\nVERSION_ID="${machine.host.platform_version}"`
      : readme(machine),
  pg_dumpall: () => 'pg_dumpall: dumping database "shop"\ndone, 41.2 GiB',
  certbot: () => 'No renewals were attempted: no certificate is due.',
  logrotate: () => '',
  systemctl: (_machine, _at, words) => (words[0] === 'is-active' ? 'active' : ''),
  chronyc: () => '200 OK',
  'apt-get': () => '0 upgraded, 0 newly installed, 0 to remove and 0 not upgraded.',
  restic: () => 'no errors were found',
  vacuumdb: () => 'vacuumdb: vacuuming database "shop"',
  queuectl: () => 'queue "orders": 0 messages',
}

export const readmeName = 'README.txt'
export const readme = ({ name }: Pick<Machine, 'name'>): string =>
  `${name} is a simulated server of the Quarterdeck demo. It has no files and runs no commands.\nPrograms that answer: ${Object.keys(programs).sort().join(', ')}`

/** Only the first program of a line counts. */
export function answerCommand(machine: Machine, command: string, at: number): Answer {
  const line = command.split(/[\n;|&]/, 1)[0]!.trim()
  const [program = '', ...words] = line.split(/\s+/).filter((word) => word !== 'sudo')
  if (program === '') return { output: '', code: 0 }
  if (program === 'false') return { output: '', code: 1 }
  const answer = Object.hasOwn(programs, program) ? programs[program] : undefined
  if (answer) return { output: answer(machine, at, words), code: 0 }
  return {
    output: `${program}: not run, because ${machine.name} is a simulated server of the Quarterdeck demo`,
    code: 127,
  }
}
