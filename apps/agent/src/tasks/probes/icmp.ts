import { isIPv6 } from 'node:net'
import type { CommandEnd, Machine } from '../../machine/machine.ts'
import { type Finding, failure } from './probe.ts'
import { addressesOf } from './tcp.ts'

const maxChars = 16_384
const packets = '5'
const missing = 'executable file not found'

/** Replies in ms from iputils, BusyBox or BSD. Duplicates don’t count. */
export const readReplies = (output: string): number[] =>
  [...output.matchAll(/^\d+ bytes from .*time[=<]([\d.]+) ?ms(.*)$/gm)]
    .filter(([, , rest]) => !rest!.includes('DUP'))
    .map(([, ms]) => Number(ms))

const run = async (
  machine: Machine,
  file: string,
  { address, timeoutMs, stop }: { address: string; timeoutMs: number; stop: AbortSignal },
): Promise<{ end: CommandEnd; output: string; errors: string }> => {
  const decoder = new TextDecoder()
  let output = ''
  let errors = ''
  const { ended, kill } = machine.runProgram(
    { file, args: ['-c', packets, address], folder: '', env: { LC_ALL: 'C' }, stdin: '' },
    {
      onOutput(chunk) {
        if (output.length < maxChars) output += decoder.decode(chunk, { stream: true })
      },
      onErrors(chunk) {
        if (errors.length < maxChars) errors += Buffer.from(chunk).toString('utf8')
      },
    },
  )
  const over = new AbortController()
  void machine.sleep(timeoutMs, over.signal).then(() => over.signal.aborted || kill())
  stop.addEventListener('abort', kill)
  const end = await ended
  stop.removeEventListener('abort', kill)
  over.abort()
  return { end, output, errors }
}

const ping = async (
  machine: Machine,
  limits: { address: string; timeoutMs: number; stop: AbortSignal },
): Promise<Finding> => {
  const is6 = isIPv6(limits.address)
  // Older systems and Apple’s have ping6.
  let ran = await run(machine, is6 ? 'ping6' : 'ping', limits)
  if (is6 && 'error' in ran.end) ran = await run(machine, 'ping', limits)
  const { end, output, errors } = ran
  if ('error' in end) return failure(end.error === missing ? 'ping is not installed on this server' : end.error)
  const replies = readReplies(output)
  if (replies.length > 0) return { successful: true, delay: replies.reduce((sum, ms) => sum + ms, 0) / replies.length }
  return failure(errors.trim().split('\n')[0] || 'pockets recv 0')
}

/** Task 2: five pings by the system’s program, which needs no privileges. One reply succeeds. If an address is unreachable, the name’s next one is tried. */
export const probeIcmp = async (
  machine: Machine,
  target: string,
  { timeoutMs, stop }: { timeoutMs: number; stop: AbortSignal },
): Promise<Finding> => {
  const addresses = await addressesOf(machine, target)
  if (typeof addresses === 'string') return failure(addresses)
  const until = machine.now() + timeoutMs
  let found: Finding = failure('')
  for (const address of addresses) {
    found = await ping(machine, { address, timeoutMs: until - machine.now(), stop })
    if (addresses.length > 1) found = found.successful ? { ...found, address } : failure(`${found.data} (${address})`)
    if (found.successful || until - machine.now() < timeoutMs / 2) break
  }
  return found
}
