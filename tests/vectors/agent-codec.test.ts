import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GeoIP, Host, State, TaskResult } from '@qd/protocol/agent'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const path = (name: string) => fileURLToPath(new URL(`../../packages/protocol/${name}`, import.meta.url))

test('the committed messages are what proto/agent.proto generates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'qd-proto-'))
  try {
    execFileSync(process.execPath, [path('generate.mjs'), folder])
    expect(readFileSync(join(folder, 'agent.gen.ts'), 'utf8')).toBe(readFileSync(path('src/agent.gen.ts'), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
// A field that equals 0 is left out, so that the wire has no negative zero.
const double = fc.double({ noNaN: true }).map((value) => value + 0)
const text = fc.string({ unit: 'grapheme' })

test('whatever a report holds is the same after the wire', () => {
  const state = fc.record({
    cpu: double,
    mem_used: u64,
    net_out_transfer: u64,
    uptime: u64,
    temperatures: fc.array(fc.record({ name: text, temperature: double })),
    gpu: fc.array(double),
  })
  fc.assert(
    fc.property(state, (fields) => {
      const message = State.create(fields)
      expect(State.decode(State.encode(message).finish())).toEqual(message)
    }),
  )
})

test('whatever a result, a host and an address report hold is the same after the wire', () => {
  const result = fc.record({
    id: u64,
    type: u64,
    delay: fc.float({ noNaN: true, min: 0 }),
    data: text,
    successful: fc.boolean(),
  })
  const host = fc.record({ platform: text, cpu: fc.array(text), mem_total: u64, boot_time: u64, version: text })
  const geo = fc.record({ use6: fc.boolean(), ip: fc.record({ ipv4: text, ipv6: text }), dashboard_boot_time: u64 })
  fc.assert(
    fc.property(result, host, geo, (...[resultFields, hostFields, geoFields]) => {
      const messages = [TaskResult.create(resultFields), Host.create(hostFields), GeoIP.create(geoFields)] as const
      expect(TaskResult.decode(TaskResult.encode(messages[0]).finish())).toEqual(messages[0])
      expect(Host.decode(Host.encode(messages[1]).finish())).toEqual(messages[1])
      expect(GeoIP.decode(GeoIP.encode(messages[2]).finish())).toEqual(messages[2])
    }),
  )
})

test('S-39 no bytes do more than throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      for (const type of [State, Host, TaskResult, GeoIP])
        try {
          type.decode(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
    }),
    { numRuns: 500 },
  )
})
