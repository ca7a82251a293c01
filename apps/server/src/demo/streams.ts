import type { ClientHttp2Stream } from 'node:http2'
import { IOStreamData, type Task } from '@qd/protocol/agent'
import { parseFileRequest, toDownloadHeader, toFileError, toListingFrame } from '@qd/protocol/files'
import { parseTerminalFrame, toAttachFrame } from '@qd/protocol/stream-frames'
import { extensionTask, taskType } from '@qd/protocol/task-types'
import { answerCommand, readme, readmeName } from './answers.ts'
import { createDeframer, frame } from './call.ts'
import { startLogs } from './logs.ts'
import type { Machine } from './machines.ts'

export const notInDemo = 'this is a demo: simulated servers have nothing to change'
export const home = '/home/demo'

interface Relay {
  send(bytes: Uint8Array | string): void
  end(): void
  onClose(run: () => void): void
}

export function answerStream(machine: Machine, task: Task, open: () => ClientHttp2Stream, now: () => number): boolean {
  const start =
    task.type === taskType.terminal
      ? startShell
      : task.type === taskType.files
        ? startFiles
        : task.type === taskType.nat
          ? refuse
          : task.type === extensionTask.logs
            ? startLogs
            : null
  if (!start) return false
  const { StreamID = '', stream_id = StreamID } = JSON.parse(task.data) as Record<string, string>
  const call = open()
  const write = (data: Uint8Array) => call.write(frame(IOStreamData.encode({ data }).finish()))
  write(toAttachFrame(stream_id))
  const relay = {
    send: (bytes: Uint8Array | string) => void write(typeof bytes === 'string' ? Buffer.from(bytes) : bytes),
    end: () => void call.end(),
    onClose: (run: () => void) => void call.on('close', run),
  }
  const take = start(machine, relay, now, task.data)
  call.on(
    'data',
    createDeframer((bytes) => take(IOStreamData.decode(bytes).data)),
  )
  return true
}

const refuse = (_machine: Machine, { end }: Relay) => {
  end()
  return () => undefined
}

const maxLine = 1000

function startShell(machine: Machine, { send, end }: Relay, now: () => number): (bytes: Uint8Array) => void {
  let prompt = `\u001b[32mdemo@${machine.name}\u001b[0m:\u001b[34m~\u001b[0m$ `
  let line = ''
  send(`${machine.name} is a simulated server: nothing is run. Try uptime, df, free, or exit.\r\n${prompt}`)
  const enter = () => {
    const typed = line.trim()
    line = ''
    const [, inside] = /^exec (?:docker|podman) exec -it -- ["']?([\w.-]+)/.exec(typed) ?? []
    if (inside) {
      prompt = `\u001b[36m${inside}\u001b[0m:/# `
      return send(`\r\n${prompt}`)
    }
    if (typed === 'exit' || typed === 'logout') {
      send('\r\nlogout\r\n')
      return end()
    }
    const { output } = answerCommand(machine, typed, now())
    send(`\r\n${output === '' ? '' : `${output.replaceAll('\n', '\r\n')}\r\n`}${prompt}`)
  }
  return (bytes) => {
    const parsed = parseTerminalFrame(bytes)
    if (parsed?.kind !== 'input') return
    const typed = Buffer.from(parsed.bytes)
      .toString('utf8')
      .replaceAll(/\u001b(\[[\d;]*.|O.|.)?/g, '')
    for (const letter of typed) {
      if (letter === '\r' || letter === '\n') enter()
      else if (letter === '\u007f' || letter === '\b') {
        if (line !== '') send('\b \b')
        line = [...line].slice(0, -1).join('')
      } else if (letter === '\u0003') {
        line = ''
        send(`^C\r\n${prompt}`)
      } else if (letter === '\u0004' && line === '') {
        send('\r\nlogout\r\n')
        return end()
      } else if (letter >= ' ' && line.length < maxLine) {
        line += letter
        send(letter)
      }
    }
  }
}

function startFiles(machine: Machine, { send }: Relay): (bytes: Uint8Array) => void {
  return (bytes) => {
    const request = requestIn(bytes)
    if (!request) return
    const content = Buffer.from(`${readme(machine)}\n`)
    if (request.kind === 'list') send(toListingFrame(home, [{ name: readmeName, isFolder: false }]))
    else if (request.kind === 'download' && request.path.endsWith(readmeName)) {
      send(toDownloadHeader(content.length))
      send(content)
    } else send(toFileError(notInDemo))
  }
}

function requestIn(bytes: Uint8Array) {
  try {
    return parseFileRequest(bytes)
  } catch {
    return undefined
  }
}
