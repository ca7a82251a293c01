import { expect, test } from 'vitest'
import { resources } from './index.ts'

/** What a host may print so that a careless parser takes the square of its length: texts of about so many characters. */
const hostile: Readonly<Record<string, Readonly<Record<string, (length: number) => string>>>> = {
  unit: {
    blanks: (length) => `#@ systemctl\n${'\n '.repeat(length / 2)}x`,
    headings: (length) => `#@ openrc\n[${'] '.repeat(length / 2)}x`,
    indent: (length) => `#@ openrc\n${' '.repeat(length)}x`,
  },
  container: {
    braces: (length) => `#@ docker\n${'{\n'.repeat(length / 2)}`,
    error: (length) => `#@ docker-error\n${' '.repeat(length)}x`,
  },
  process: {
    digits: (length) => `#@ linux\n100\n4096\n0\n1 2\n${'1'.repeat(length)}`,
    blanks: (length) => `#@ bsd\n${' '.repeat(length)}x`,
    chain: (length) =>
      `#@ linux\n100\n4096\n0\n1 2\n${Array.from({ length: length / 30 }, (_, at) => `${at + 2} ${at + 1} S 0 1 1 1 1 1 x`).join('\n')}`,
  },
  port: {
    colons: (length) => `#@ ss\ntcp LISTEN 0 0 ${':1'.repeat(length / 2)}`,
    users: (length) => `#@ ss\ntcp LISTEN 0 0 a:1 b ${'("a'.repeat(length / 3)}`,
  },
  filesystem: {
    keys: (length) => `${mounts(1)}#@ drives\n${'A'.repeat(length)}`,
    numbers: (length) => `${mounts(length / 60)}#@ calm\n${'1'.repeat(length * 8)}`,
    drives: (length) =>
      `${mounts(length / 60)}#@ drives\n${Array.from({ length: length / 60 }, (_, at) => `KNAME="d${at}" PKNAME="d${at + 1}"`).join('\n')}`,
  },
  package: {
    dashes: (length) => `#@ dnf\na.b ${'-'.repeat(length)}`,
    dots: (length) => `#@ dnf\n${'a.'.repeat(length / 2)}`,
    apk: (length) => `#@ apk\n${'-1-r1'.repeat(length / 5)}`,
    apt: (length) => `#@ apt\n${'a/'.repeat(length / 2)}`,
  },
}

const mounts = (count: number) =>
  `#@ mounts\n${Array.from({ length: count }, (_, at) => `${at} 0:${at} / /${at} rw rw x /dev/d0`).join('\n')}\n`

const hosts = resources.flatMap(({ name, host }) => (host ? [{ name, host }] : []))

test('each kind has hostile texts', () => {
  expect(hosts.map(({ name }) => name).sort()).toEqual(Object.keys(hostile).sort())
})

const short = 16 * 1024
const cases = hosts.flatMap(({ name, host }) =>
  Object.entries(hostile[name] ?? {}).map(([kind, textOf]) => ({ name, kind, textOf, parser: host.parser })),
)

test.each(cases)('$name: $kind take time in proportion to their length', async ({ textOf, parser }) => {
  const parse = await parser()
  const best = (length: number) => {
    const text = textOf(length)
    return Math.min(
      ...Array.from({ length: 3 }, () => {
        // Of the processor, not of the clock: a busy machine makes nothing square.
        const began = process.cpuUsage()
        parse(text)
        const { user, system } = process.cpuUsage(began)
        return (user + system) / 1000
      }),
    )
  }
  // Four times the length: the square would take sixteen times as long. What takes no time is measured badly.
  expect(best(4 * short)).toBeLessThan(8 * best(short) + 100)
})
